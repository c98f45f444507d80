"""What fastembed says of the models that it runs."""
