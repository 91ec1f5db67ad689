import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seedFolder } from '../testing/seedFolder.ts'
import { ready, startProcess } from '../testing/startProcess.ts'

const mebibyte = 1024 * 1024
/** `UPLOAD_MIB=1024` for a whole gigabyte, `UPLOAD_STORE=database` for another place. */
const size = Number(process.env.UPLOAD_MIB ?? 400)
/** MiB: Node.js 20 grows by 50 before it collects buffers, Node.js 26 by 150, whatever the size of the file. */
const mostGrowth = 200
const store = process.env.UPLOAD_STORE ?? 'disk'

test.skipIf(!existsSync('/proc/self/status'))(
  `an upload of ${size} MiB, and reading it back, keep the memory of the server flat`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cs-'))
    const config = join(folder, 'countersign.config.json')
    await writeFile(config, JSON.stringify({ files: { store, maxStreamSize: 4096 * mebibyte } }))
    const environment = { COUNTERSIGN_DATA: folder, COUNTERSIGN_APP_ID: 'app', COUNTERSIGN_CONFIG: config }
    await seedFolder(folder)
    const server = await ready(await startProcess(environment))
    const memory = async () => {
      const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
    }
    const samples: number[] = []
    const sampling = setInterval(() => void memory().then((now) => samples.push(now)), 50)
    try {
      const headers = { 'X-Parse-Application-Id': 'app' }
      const post = (path: string, init: object) =>
        fetch(`${server.url}/server${path}`, { method: 'POST', headers, duplex: 'half', ...init } as RequestInit)
      const user = await post('/users', { body: JSON.stringify({ username: 'ada', password: 'a long password' }) })
      const { sessionToken } = (await user.json()) as { sessionToken: string }
      const signedIn = { ...headers, 'X-Parse-Session-Token': sessionToken }
      // Memory of a small upload is not growth.
      await post('/files/small.bin', { headers: signedIn, body: randomBytes(mebibyte) })
      samples.length = 0
      const before = await memory()
      const piece = randomBytes(mebibyte)
      const pieces = ReadableStream.from(Array.from({ length: size }, () => piece))
      const saved = await post('/files/large.bin', { headers: signedIn, body: pieces })
      const { name } = (await saved.json()) as { name: string }
      const afterUpload = Math.max(...samples)
      const response = await fetch(`${server.url}/server/files/app/${name}`)
      let read = 0
      for await (const chunk of response.body ?? []) read += chunk.length
      const grown = { upload: afterUpload - before, both: Math.max(...samples) - before }
      if (process.env.UPLOAD_MIB) console.log({ store, size, before, samples: samples.length, ...grown })
      expect([saved.status, read]).toEqual([201, size * mebibyte])
      expect(grown.both).toBeLessThan(mostGrowth)
    } finally {
      clearInterval(sampling)
      server.child.kill('SIGTERM')
      await server.exited
      await rm(folder, { recursive: true, force: true })
    }
  },
  600_000,
)
