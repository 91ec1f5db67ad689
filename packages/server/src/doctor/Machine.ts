/** What the checks learn from the machine that they run on. */
export type Machine = {
  nodeVersion: string
  now(): number
  freeBytes(folder: string): Promise<number>
}
