/** Of the panel's shadow root: nothing of it reaches the page, and nothing of the page reaches it. */
export const styles = `
:host {
  all: initial;
}
.dock {
  --surface: light-dark(#ffffff, #1c1b18);
  --sunken: light-dark(#f4f2ed, #262420);
  --line: light-dark(#e4dfd5, #35322d);
  --edge: light-dark(#8d8679, #7d766b);
  --ink: light-dark(#1e1b17, #f4f1eb);
  --muted: light-dark(#5c564d, #b8b1a6);
  --accent: light-dark(#0f6b64, #57d3c3);
  --danger: light-dark(#b0281f, #ff9a90);
  --danger-soft: light-dark(#fcebe9, #3b1d1a);
  position: fixed;
  inset-block-end: 0.75rem;
  z-index: 2147483000;
  color-scheme: light dark;
  color: var(--ink);
  font: 400 13px / 1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.dock[data-side="end"] { inset-inline-end: 0.75rem; }
.dock[data-side="start"] { inset-inline-start: 0.75rem; }
.dock[data-theme="light"] { color-scheme: light; }
.dock[data-theme="dark"] { color-scheme: dark; }
*, *::before, *::after { box-sizing: border-box; }
h2, h3, p, dl, dd, ul, ol { margin: 0; padding: 0; }
ul, ol { list-style: none; }
button { border: 0; background: none; color: inherit; font: inherit; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h2:focus-visible { outline: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--muted); }
.danger { color: var(--danger); }
.toggle {
  display: inline-flex;
  align-items: center;
  gap: 8px;
  min-height: 44px;
  padding: 0 16px;
  border: 1px solid var(--edge);
  border-radius: 22px;
  background: var(--surface);
  box-shadow: 0 4px 16px -4px rgb(30 27 23 / 0.3);
  font-weight: 600;
}
.toggle:hover, .plain:hover, .tabs button:hover { background: var(--sunken); }
.dot { flex: none; width: 8px; height: 8px; border-radius: 50%; background: var(--edge); }
.dot[data-status="authenticated"] { background: var(--accent); }
.dot[data-status="error"] { background: var(--danger); }
.dot[data-status="authenticating"] { background: none; border: 2px solid var(--accent); }
.count {
  min-width: 20px;
  padding: 0 6px;
  border-radius: 10px;
  background: var(--sunken);
  color: var(--muted);
  font-size: 12px;
  text-align: center;
}
.toggle .count { background: var(--danger-soft); color: var(--danger); }
.panel {
  display: flex;
  flex-direction: column;
  width: min(480px, 100vw - 1.5rem);
  height: min(480px, 100dvh - 1.5rem);
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 14px;
  background: var(--surface);
  box-shadow: 0 2px 6px rgb(30 27 23 / 0.1), 0 18px 48px -12px rgb(30 27 23 / 0.35);
}
header { display: flex; align-items: center; gap: 8px; padding: 4px 6px 0 16px; }
header h2 { flex: 1; min-width: 0; font-size: 14px; font-weight: 650; }
.plain { min-height: 44px; padding: 0 10px; border-radius: 8px; color: var(--muted); font-weight: 600; white-space: nowrap; }
.tabs {
  display: flex;
  flex: none;
  padding: 0 8px;
  overflow-x: auto;
  border-block-end: 1px solid var(--line);
  scrollbar-width: none;
}
.tabs button {
  display: inline-flex;
  align-items: center;
  gap: 6px;
  min-height: 44px;
  padding: 0 9px;
  border-block-end: 2px solid transparent;
  color: var(--muted);
  font-weight: 600;
}
.tabs button[aria-selected="true"] { border-color: var(--accent); color: var(--ink); }
.tabs :focus-visible, .content:focus-visible { outline-offset: -2px; }
.content { flex: 1; min-height: 0; padding: 12px 16px 16px; overflow: auto; overscroll-behavior: contain; }
dl > div { display: grid; grid-template-columns: 8.5em 1fr; gap: 12px; padding: 4px 0; }
dt { color: var(--muted); }
dd { min-width: 0; overflow-wrap: anywhere; }
h3 { margin-block: 16px 4px; font-size: 13px; font-weight: 650; overflow-wrap: anywhere; }
.history li { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 3px 0; overflow-wrap: anywhere; }
time, .code, .method, .path, .meta, .status { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12px; }
time { color: var(--muted); }
.code { overflow-wrap: anywhere; }
.button {
  min-height: 44px;
  margin-block-start: 12px;
  padding: 0 16px;
  border: 1px solid var(--edge);
  border-radius: 10px;
  font-weight: 600;
}
.button:hover { background: var(--sunken); }
.requests li {
  display: grid;
  grid-template-columns: 4.5em 1fr auto;
  gap: 2px 8px;
  padding: 7px 0;
}
.requests li + li { border-block-start: 1px solid var(--line); }
.requests .wide { grid-column: 1 / 3; }
.warning { margin: 0; padding: 8px 14px; border-block-end: 1px solid var(--line); color: var(--danger); }
.method { color: var(--muted); font-weight: 600; }
.path { min-width: 0; overflow-wrap: anywhere; }
.status { font-weight: 600; text-align: end; }
.status[data-bad] { color: var(--danger); }
.meta { grid-column: 2 / -1; overflow-wrap: anywhere; }
.errors li + li { margin-block-start: 16px; padding-block-start: 4px; border-block-start: 1px solid var(--line); }
.errors li:first-child h3 { margin-block-start: 0; }
@media (max-width: 30rem) {
  .dock:has(.panel) { inset-inline: 0; inset-block-end: 0; }
  .panel { width: 100%; height: min(70dvh, 560px); border-radius: 14px 14px 0 0; border-width: 1px 0 0; }
  .tabs { padding: 0 4px; }
  .tabs button { gap: 4px; padding: 0 6px; }
  dl > div { grid-template-columns: 7.5em 1fr; }
}
`
