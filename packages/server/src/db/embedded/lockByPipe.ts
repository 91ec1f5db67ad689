import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { FolderInUse } from './FolderInUse.ts'

/** The same on Windows, where a named pipe belongs to one process and goes away with it. */
export const lockByPipe = async (folder: string): Promise<() => Promise<void>> => {
  const key = createHash('sha256')
    .update((await realpath(folder)).toLowerCase())
    .digest('hex')
  const server = createServer((socket) => socket.destroy())
  server.unref()
  await new Promise<void>((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new FolderInUse(folder, undefined) : error)
    })
    server.listen({ path: `\\\\.\\pipe\\countersign-${key}`, exclusive: true }, resolve)
  })
  return () => new Promise((resolve) => server.close(() => resolve()))
}
