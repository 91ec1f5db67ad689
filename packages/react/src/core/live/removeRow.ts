import type { LiveWindow } from './LiveWindow.ts'

/** Takes a row out that the query no longer finds. */
export function removeRow(window: LiveWindow, objectId: string): LiveWindow {
  const rows = window.rows.filter((row) => row.objectId !== objectId)
  return rows.length === window.rows.length ? window : { ...window, rows }
}
