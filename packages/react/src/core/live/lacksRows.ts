import type { LiveWindow } from './LiveWindow.ts'

/** Rows were lost and those that follow are not known here: the server has to be asked. */
export function lacksRows({ rows, wanted, edge }: LiveWindow): boolean {
  return edge !== undefined && rows.length < wanted
}
