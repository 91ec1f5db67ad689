import { cp } from 'node:fs/promises'

/** Gives the folder the data of a server that has run once: making a database takes far longer than copying one. */
export async function seedFolder(folder: string): Promise<void> {
  const seed = process.env.COUNTERSIGN_SEED
  if (seed) await cp(seed, folder, { recursive: true })
}
