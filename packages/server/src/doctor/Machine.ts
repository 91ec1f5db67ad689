/** Facts of the machine that the checks run on. */
export type Machine = {
  nodeVersion: string
  now(): number
  freeBytes(folder: string): Promise<number>
}
