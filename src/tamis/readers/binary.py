"""What is no text: by the ending of its name, or by its first bytes."""

from __future__ import annotations

from tamis.errors import BinaryError

_UNREAD = (
    # pictures, drawings
    "avif bmp dds dng eps exr gif heic heif icns ico jp2 jpeg jpg jxl nef pbm pcx pgm png pnm ppm psd raw svg svgz "
    "tga tif tiff webp xcf ai cdr dwg indd sketch fig blend fbx glb obj stl "
    # sound, film, fonts
    "aac aif aiff amr ape au flac m4a mid midi mp3 oga ogg opus ra wav wma 3gp avi flv m2ts m4v mkv mov mp4 mpeg "
    "mpg ogv swf vob webm wmv eot otf pfb ttc ttf woff woff2 "
    # archives, packages, images of disks
    "7z apk ar bz2 cab cpio crx deb dmg ear egg gz img ipa iso jar lz lz4 lzma lzo msi nupkg pkg qcow2 rar rpm "
    "tar tbz2 tgz txz vdi vmdk war whl xpi xz z zip zst "
    # programs and what they are built from
    "a class com dex dll dylib elc exe gch ko lib mo node o obj pch pdb pyc pyd pyo rlib rmeta so wasm "
    # databases, tables, arrays, models
    "accdb arrow avro bin ckpt db db3 dbf feather ggml gguf h5 hdf5 joblib lmdb mat mdb npy npz onnx "
    "orc pack parquet pb pickle pkl pt pth rdb rds safetensors sav sqlite sqlite3 tfrecord tflite tvim "
    # documents in formats that no reader takes yet
    "azw azw3 chm djvu doc docm docx dotx epub fb2 hwp ipynb key mobi numbers odg odp ods odt one ott pages pdf "
    "potx pps ppsx ppt pptm pptx ps pub rtf vsd vsdx wpd xls xlsb xlsm xlsx xps "
    # keys, keyrings, caches
    "crt der gpg jks kdbx keystore p12 pem pfx sig swo swp"
)
UNREAD_SUFFIXES = frozenset(f".{suffix}" for suffix in _UNREAD.split())
"""Name endings, lower-case with the dot, of what is skipped and counted without being opened."""

_MAGIC = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"\x7fELF",
    b"\x28\xb5\x2f\xfd",
    b"Rar!",
    b"SQLite format 3",
    b"\xca\xfe\xba\xbe",
    b"\xcf\xfa\xed\xfe",
    b"{\\rtf",
    b"\xd0\xcf\x11\xe0",
)
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_SNIFFED = 1 << 16
# Text has tabs, line and page ends, backspaces in manual pages, escapes in terminal logs; compressed bytes have 25 of
# the other control characters in every 256.
_CONTROLS = bytes(sorted(set(range(32)) - set(b"\b\t\n\v\f\r\x1b")))
_CONTROL_SHARE = 0.03


def refuse_binary(start: bytes) -> None:
    """Raise when the start of a file is that of no text.

    UTF-16 and UTF-32 pass when their byte order mark says so; without one their NUL characters count as git counts
    them, as the sign of a binary file.

    Raises:
        BinaryError: It is not text.
    """
    start = start[:_SNIFFED]
    if start.startswith(_WIDE_MARKS):
        return
    controls = len(start) - len(start.translate(None, _CONTROLS))
    if start.startswith(_MAGIC) or b"\0" in start or controls > len(start) * _CONTROL_SHARE:
        raise BinaryError("it is not text")
