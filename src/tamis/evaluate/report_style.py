"""The look of the HTML report, for light and dark screens and for paper."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { --ink:#1c2430; --soft:#5c6778; --line:#dfe4ea; --paper:#fff; --card:#f7f9fb; --win:#2a8f5b; --loss:#c8503c; --warn:#9a5b00;
  --s0:#2f6fb7; --s1:#d9822b; --s2:#2a8f5b; --s3:#a33b6b; --s4:#6b55b0; --s5:#0f8f9c; --s6:#8a6d3b; --s7:#5c6778; }
@media (prefers-color-scheme: dark) { :root { --ink:#e6eaf0; --soft:#9aa6b6; --line:#323b47; --paper:#12171d;
  --card:#1a2129; --win:#56c08a; --loss:#e87f6c; --warn:#f0a455; --s0:#6fa8e8; --s1:#f0a455; --s2:#56c08a; --s3:#dd7fa8; --s4:#a594e6;
  --s5:#4fc3cf; --s6:#c7a76a; --s7:#9aa6b6; } }
* { box-sizing:border-box }
body { margin:0; background:var(--paper); color:var(--ink); font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif }
main { max-width:1080px; margin:0 auto; padding:32px 24px 64px }
h1 { font-size:26px; margin:0 0 4px } h2 { font-size:18px; margin:40px 0 12px }
p.note, figcaption { color:var(--soft); font-size:13px; margin:4px 0 12px }
.grid2 { display:grid; grid-template-columns:repeat(auto-fit,minmax(min(400px,100%),1fr)); gap:20px }
.wide { grid-column:1/-1 } .entry { display:inline-block; margin:2px 18px 2px 0; color:var(--ink) }
.short { display:block; color:var(--warn); font-size:12px; font-weight:600 }
ul.warn { color:var(--warn); font-size:13px; margin:12px 0; padding:10px 10px 10px 28px; border:1px solid var(--warn); border-radius:10px }
figure { margin:0; padding:16px; background:var(--card); border:1px solid var(--line); border-radius:10px }
.chart { width:100%; height:auto; display:block } .chart text { font-size:11px; fill:var(--soft) }
.chart .grid { stroke:var(--line) } .line { stroke-width:2.2 } .dot { stroke:var(--card); stroke-width:.8 } .win { fill:var(--win) } .loss { fill:var(--loss) }
table { border-collapse:collapse; width:100%; font-size:14px } .scroll { overflow-x:auto }
th, td { text-align:left; padding:7px 8px; border-bottom:1px solid var(--line); vertical-align:top }
th { font-weight:600; color:var(--soft); white-space:nowrap } td.n, th.n { text-align:right; font-variant-numeric:tabular-nums }
td.best { font-weight:700 } td.run { min-width:130px; overflow-wrap:anywhere } td .sub { display:block; color:var(--soft); font-size:12px; font-weight:400 }
td.names { font:12px/1.5 ui-monospace,Menlo,Consolas,monospace; overflow-wrap:anywhere }
.cellbar { display:block; width:100%; min-width:60px; height:5px; margin-top:4px; border-radius:3px; overflow:hidden }
.track { fill:var(--line) } .key { width:12px; height:12px; margin-right:6px; vertical-align:-1px } .key .dot { stroke:none }
details { border:1px solid var(--line); border-radius:10px; padding:10px 16px; background:var(--card) }
summary { cursor:pointer; font-weight:600 }
@media print { details { display:block } main { padding:0 } }
""" + "".join(f".line.s{n}{{stroke:var(--s{n})}}.dot.s{n},.fill.s{n}{{fill:var(--s{n})}}" for n in range(8))
