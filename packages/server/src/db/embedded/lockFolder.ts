import { randomBytes } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { askHolder, type Holder } from './askHolder.ts'
import { FolderInUse } from './FolderInUse.ts'
import { lockByPipe } from './lockByPipe.ts'
import { socketPath } from './socketPath.ts'

const noSockets = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL'])

const createName = () => `lock-${randomBytes(8).toString('hex')}.sock`

const lockName = /^lock-[0-9a-f]{16}\.sock$/

// Long enough for another one that starts at the same moment to make up its mind.
const PATIENCE = 5_000

const listen = (server: Server, folder: string, name: string) =>
  new Promise<void>((resolve, reject) => {
    const { path, done } = socketPath(folder, name)
    server.on('error', (error: NodeJS.ErrnoException) => {
      const mend = 'choose one on a local disk (COUNTERSIGN_DATA), or use a PostgreSQL server (DATABASE_URL)'
      const unfit = `The data folder ${folder} cannot be kept for one process, its file system has no sockets: ${mend}.`
      reject(noSockets.has(error.code ?? '') ? new Error(unfit, { cause: error }) : error)
    })
    server.listen(path, resolve)
    done()
  })

/**
 * Keeps the folder for this process until the answer is called or the process ends, however it ends.
 *
 * Each candidate shows a socket on which it listens and then asks all others that it finds. Whoever shows itself
 * later sees the earlier one, so two never both find the folder free; of two that see each other the one with the
 * smaller name stays. A name is used once, so a socket whose process has died is dead for good: removing it cannot
 * hit a living one.
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  if (process.platform === 'win32') return lockByPipe(folder)
  const self: Holder = { state: 'contends', pid: process.pid, host: hostname(), since: new Date().toISOString() }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(self))
  })
  server.unref()

  // Listens under another name at first: a socket that is bound but does not listen yet looks dead.
  const hidden = join(folder, `${createName()}.new`)
  await listen(server, folder, basename(hidden))

  let shown: string | undefined

  const show = async () => {
    const name = createName()
    await rename(hidden, join(folder, name))
    shown = name
  }

  const hide = async () => {
    if (shown) await rename(join(folder, shown), hidden)
    shown = undefined
  }

  const release = async () => {
    await rm(shown ? join(folder, shown) : hidden, { force: true })
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  const look = async (): Promise<'free' | 'wait' | 'yield'> => {
    let found: 'free' | 'wait' | 'yield' = 'free'
    for (const other of await readdir(folder)) {
      if (!lockName.test(other) || other === shown) continue
      const asked = await askHolder(folder, other)
      if (!asked.alive) await rm(join(folder, other), { force: true })
      else if (asked.holder?.state === 'owns') throw new FolderInUse(folder, asked.holder)
      else if (shown && other < shown) return 'yield'
      else found = 'wait'
    }
    return found
  }

  try {
    const until = Date.now() + PATIENCE
    for (;;) {
      const found = await look()
      if (found === 'free' && shown) break
      if (found === 'free') await show()
      else {
        if (found === 'yield') await hide()
        if (Date.now() > until) throw new FolderInUse(folder, undefined)
        await pause(20 + Math.random() * 30)
      }
    }
    self.state = 'owns'
    return release
  } catch (error) {
    await release()
    throw error
  }
}
