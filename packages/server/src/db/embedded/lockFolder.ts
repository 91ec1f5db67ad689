import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readdir, realpath, rename, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { basename, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Another process has the data folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'

  constructor(folder: string, holder: Holder | undefined) {
    const who = holder ? `process ${holder.pid} on ${holder.host} (since ${holder.since})` : 'another process'
    super(
      `The data folder ${folder} is in use by ${who}. Stop it, choose another folder ` +
        '(COUNTERSIGN_DATA), or let both use a PostgreSQL server (DATABASE_URL).',
    )
  }
}

// The address of a socket holds 108 bytes on Linux and 104 on macOS, its end included.
const LONGEST = 103

export type SocketPath = { path: string; done(): void }

/** A path for the socket that the operating system accepts, however deep the folder lies. `done` once it was used. */
function socketPath(folder: string, name: string): SocketPath {
  const full = join(folder, name)
  const candidates = [full, relative(process.cwd(), full)]
  const path = candidates.find((candidate) => Buffer.byteLength(candidate) <= LONGEST)
  if (path) return { path, done: () => {} }
  if (!existsSync('/proc/self/fd')) {
    throw new Error(`The path ${folder} is too long for a socket. Choose a shorter data folder (COUNTERSIGN_DATA).`)
  }
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}/${name}`, done: () => closeSync(descriptor) }
}

/** Owner of a socket in the folder, as reported by its process. */
export type Holder = { state: 'owns' | 'contends'; pid: number; host: string; since: string }

export type Asked = { alive: false } | { alive: true; holder: Holder | undefined }

const ANSWER_WITHIN = 1_000

function parseHolder(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

/**
 * Checks that a process listens on the socket. The kernel responds, so a busy process still counts, and a reused
 * process id or one of another container cannot mislead.
 */
const askHolder = (folder: string, name: string): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const { path, done } = socketPath(folder, name)
    const socket = createConnection(path)
    let connected = false
    let text = ''
    const settle = (act: () => void) => {
      clearTimeout(timer)
      socket.destroy()
      act()
    }
    const answer = () => settle(() => resolve({ alive: true, holder: parseHolder(text) }))
    const timer = setTimeout(answer, ANSWER_WITHIN)
    done()
    socket.setEncoding('utf8')
    socket.on('connect', () => {
      connected = true
    })
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', answer)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (connected || error.code === 'EAGAIN') return answer()
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') return settle(() => resolve({ alive: false }))
      settle(() => reject(error))
    })
  })

const noSockets = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL'])

const createName = () => `lock-${randomBytes(8).toString('hex')}.sock`

const lockName = /^lock-[0-9a-f]{16}\.sock$/

// Long enough for another one that starts at the same moment to make up its mind.
const PATIENCE = 5_000

const listen = (server: Server, folder: string, name: string) =>
  new Promise<void>((resolve, reject) => {
    const { path, done } = socketPath(folder, name)
    server.on('error', (error: NodeJS.ErrnoException) => {
      const fix = 'choose one on a local disk (COUNTERSIGN_DATA), or use a PostgreSQL server (DATABASE_URL)'
      const unfit = `The data folder ${folder} cannot be locked, because its file system has no sockets: ${fix}.`
      reject(noSockets.has(error.code ?? '') ? new Error(unfit, { cause: error }) : error)
    })
    server.listen(path, resolve)
    done()
  })

/**
 * Locks the folder for this process until the returned function is called or the process ends in any way.
 *
 * Each candidate opens a socket and then asks all others that it finds. A later candidate sees the earlier one, so two
 * never both find the folder free; of two that see each other the one with the smaller name stays. A name is used once,
 * so the socket of a dead process stays dead: removing it cannot hit a living one.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
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

/** The same on Windows, where a named pipe belongs to one process and goes away with it. */
async function lockByPipe(folder: string): Promise<() => Promise<void>> {
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
