import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built command. */
export const serverProgram = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url))

// A process that lives for seconds gains nothing from V8's background optimization, and loses time waiting for it.
const flags = ['--liftoff-only', '--no-opt', '--single-threaded-gc']

export type ServerProcess = {
  url: string
  child: ChildProcess
  /** Output so far. */
  output(): string
  exited: Promise<number | null>
}

/**
 * Starts the built server as a process of its own, with nothing but these settings in its environment. `checkout` is
 * another built repository to start it from.
 */
export async function startProcess(
  environment: Record<string, string>,
  args: string[] = ['start'],
  checkout?: string,
): Promise<ServerProcess> {
  const port = await findFreePort()
  const program = checkout === undefined ? serverProgram : join(checkout, 'packages/server/bin/countersign.js')
  const child = spawn(process.execPath, [...flags, program, ...args], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      COUNTERSIGN_LOG_LEVEL: 'warn',
      COUNTERSIGN_DRAIN_TIME: '0',
      // The machine of the tests may be slow; overload has tests of its own.
      COUNTERSIGN_OVERLOAD_DELAY: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return { url: `http://127.0.0.1:${port}`, child, output: () => text, exited }
}

/** Resolves when the server reports that it is ready, over HTTP and in its output. Fails with the output if it ends. */
export async function ready(server: ServerProcess): Promise<ServerProcess> {
  const deadline = Date.now() + 170_000
  for (;;) {
    if (server.child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The server did not start:\n${server.output()}`)
    const up = await fetch(`${server.url}/ready`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (up && server.output().includes(' is ready.')) return server
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A port below those that systems give to connections and to servers that name none. */
export function findFreePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 22_000)
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(findFreePort()) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
