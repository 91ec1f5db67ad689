import { closeSync, existsSync, openSync } from 'node:fs'
import { join, relative } from 'node:path'

// The address of a socket holds 108 bytes on Linux and 104 on macOS, its end included.
const LONGEST = 103

export type SocketPath = { path: string; done(): void }

/** A path for the socket that the operating system accepts, however deep the folder lies. `done` once it was used. */
export const socketPath = (folder: string, name: string): SocketPath => {
  const full = join(folder, name)
  const candidates = [full, relative(process.cwd(), full)]
  const path = candidates.find((candidate) => Buffer.byteLength(candidate) <= LONGEST)
  if (path) return { path, done: () => {} }
  if (!existsSync('/proc/self/fd')) {
    throw new Error(`The path ${folder} is too long for a socket: choose a shorter data folder (COUNTERSIGN_DATA).`)
  }
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}/${name}`, done: () => closeSync(descriptor) }
}
