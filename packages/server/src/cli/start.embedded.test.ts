import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seedFolder } from '../testing/seedFolder.ts'
import { findFreePort, ready, serverProgram, startProcess } from '../testing/startProcess.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const here = (extra: Record<string, string> = {}) => ({ COUNTERSIGN_DATA: folder, ...extra })

async function post(url: string, path: string, body: object, appId: string) {
  const response = await fetch(`${url}/server${path}`, {
    method: 'POST',
    headers: { 'X-Parse-Application-Id': appId, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { objectId?: string; sessionToken?: string } }
}

describe('countersign start', () => {
  test('prints address, application id and where the data lies; makes keys that stay, readable by their owner alone', async () => {
    const first = await ready(await startProcess(here()))
    const keys = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'))
    expect(first.output()).toContain(first.url.replace('127.0.0.1', 'localhost'))
    expect(first.output()).toContain(keys.appId)
    expect(first.output()).toContain(`Creating a database in ${folder}`)
    expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600)

    const shown = await startProcess(here(), ['keys'])
    expect(await shown.exited).toBe(0)
    expect(shown.output()).toContain(keys.masterKey)

    first.child.kill('SIGTERM')
    expect(await first.exited).toBe(0)
    const second = await ready(await startProcess(here()))
    expect(second.output()).toContain(keys.appId)
    second.child.kill('SIGTERM')
    await second.exited
  }, 90_000)

  test('a second process on the same folder, or on the same port, is refused with a fix, and the first continues', async () => {
    await seedFolder(folder)
    const first = await ready(await startProcess(here()))
    const { port } = new URL(first.url)
    const [second, third] = await Promise.all([
      startProcess(here()),
      startProcess({ COUNTERSIGN_DATA: join(folder, 'third'), PORT: port }),
    ])
    expect(await Promise.all([second.exited, third.exited])).toEqual([1, 1])
    // The port is looked at first: no database was made for a server that cannot start.
    await expect(stat(join(folder, 'third'))).rejects.toThrow('ENOENT')
    expect(second.output()).toContain(folder)
    expect(second.output()).toMatch(/COUNTERSIGN_DATA|DATABASE_URL/)
    expect(third.output()).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(`${second.output()}${third.output()}`).not.toMatch(/\n\s+at /)
    expect((await fetch(`${first.url}/ready`)).status).toBe(200)
    first.child.kill('SIGTERM')
    await first.exited
  }, 90_000)

  test('files of the web application are sent to be kept, and nothing else that lies near them is sent', async () => {
    await seedFolder(folder)
    const server = await ready(await startProcess(here()))
    const page = await (await fetch(server.url, { headers: { Accept: 'text/html' } })).text()
    const asset = /\/assets\/[^"]+\.js/.exec(page)?.[0] ?? ''
    const sent = await fetch(`${server.url}${asset}`, { headers: { 'Accept-Encoding': 'br' } })
    expect(sent.status).toBe(200)
    expect(Object.fromEntries(sent.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    // Browsers refuse scripts and pictures whose type is not known.
    for (const [folder, prefix] of [
      ['web', '/'],
      ['docs', '/docs/'],
    ] as const) {
      const files = await readdir(join(serverProgram, '../../dist', folder), { recursive: true, withFileTypes: true })
      const endings = new Map(
        files
          .filter((file) => file.isFile() && !/\.(br|gz)$/.test(file.name) && file.name !== 'index.html')
          .map((file) => [extname(file.name), join(file.parentPath, file.name).split(`/dist/${folder}/`)[1]]),
      )
      expect(endings.size).toBeGreaterThan(3)
      for (const path of endings.values()) {
        const { status, headers } = await fetch(`${server.url}${prefix}${path}`)
        const type = headers.get('content-type')
        expect({ path, status, type }).toEqual({ path, status: 200, type: expect.not.stringContaining('octet-stream') })
      }
    }
    // A person who opens the address of the API gets its documentation; a program does not.
    const person = { headers: { Accept: 'text/html', 'X-Forwarded-Host': 'evil.example' }, redirect: 'manual' as const }
    const described = await fetch(`${server.url}/server`, person)
    const own = server.url.replace('127.0.0.1', 'localhost')
    expect([described.status, described.headers.get('location')]).toEqual([302, `${own}/docs/http-api`])
    expect((await fetch(`${own}/docs/http-api`)).status).toBe(200)
    expect((await fetch(`${server.url}/server`)).status).toBe(404)
    for (const path of [
      `${asset}.br`,
      '/assets/',
      '/assets/none.js',
      '/assets/..%2findex.html',
      '/assets/..%2f..%2fversion.js',
    ]) {
      const refused = await fetch(`${server.url}${path}`)
      expect({ path, status: refused.status }).toEqual({ path, status: 404 })
      expect(await refused.json()).toMatchObject({ code: 108 })
    }
    server.child.kill('SIGTERM')
    await server.exited
  }, 90_000)

  test('in production without SMTP it says that mails are not sent, and names no outbox', async () => {
    await seedFolder(folder)
    const server = await ready(await startProcess(here({ NODE_ENV: 'production', HOST: '127.0.0.1' })))
    await expect.poll(() => server.output()).toContain('is ready')
    expect(server.output()).toContain('no SMTP server is set: mails are not sent')
    expect(server.output()).not.toContain('outbox')
    expect(server.output()).toContain(`Opening the database in ${folder}`)
    server.child.kill('SIGTERM')
    await server.exited
  })

  test('SIGTERM while the server starts stops it in order and frees the data folder', async () => {
    const data = join(folder, 'interrupted')
    const server = await startProcess(here({ COUNTERSIGN_DATA: data }))
    // From then on it holds the folder.
    await expect.poll(() => readdir(data).catch(() => [])).toContainEqual(expect.stringMatching(/^lock-/))
    server.child.kill('SIGTERM')
    expect(await server.exited, server.output()).toBe(0)
    expect((await readdir(data)).filter((name) => name.startsWith('lock-') || name === 'port')).toEqual([])
  })

  test('SIGTERM to npx stops the server and frees its port and folder', async () => {
    await seedFolder(folder)
    const home = await mkdtemp(join(tmpdir(), 'cs-npx-'))
    await mkdir(join(home, 'node_modules/.bin'), { recursive: true })
    await symlink(serverProgram, join(home, 'node_modules/.bin/countersign'))
    await writeFile(join(home, 'package.json'), '{ "private": true }')
    const port = await findFreePort()
    const env = { PATH: process.env.PATH, HOME: home, PORT: String(port), COUNTERSIGN_DATA: folder }
    const npx = spawn('npx', ['countersign', 'start'], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const url = `http://127.0.0.1:${port}/ready`
      const responds = () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        )
      await expect.poll(responds, { timeout: 60_000 }).toBe(true)
      npx.kill('SIGTERM')
      await once(npx, 'exit')
      await expect.poll(responds, { timeout: 20_000 }).toBe(false)
      await expect.poll(async () => (await readdir(folder)).filter((name) => name.startsWith('lock-'))).toEqual([])
    } finally {
      npx.kill('SIGKILL')
      await rm(home, { recursive: true, force: true })
    }
  })

  test('SIGTERM lets requests under way finish', async () => {
    await seedFolder(folder)
    const server = await ready(await startProcess(here({ COUNTERSIGN_APP_ID: 'app' })))
    const under = Array.from({ length: 20 }, (_, i) =>
      post(server.url, '/users', { username: `last${i}`, password: 'x' }, 'app'),
    )
    await new Promise((resolve) => setTimeout(resolve, 30))
    server.child.kill('SIGTERM')
    const answers = await Promise.allSettled(under)
    expect(await server.exited).toBe(0)
    const acknowledged = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.status === 201)
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(answers.every((answer) => answer.status === 'rejected' || answer.value.status === 201)).toBe(true)
    const again = await ready(await startProcess(here({ COUNTERSIGN_APP_ID: 'app' })))
    for (const answer of acknowledged) {
      const name = `last${answers.indexOf(answer)}`
      expect((await post(again.url, '/login', { username: name, password: 'x' }, 'app')).status).toBe(200)
    }
    again.child.kill('SIGTERM')
    await again.exited
  })

  test('20 kill -9 in the middle of sign-ups: every acknowledged account is there afterwards', {
    timeout: 300_000,
  }, async () => {
    await seedFolder(folder)
    const acknowledged: { username: string; objectId: string }[] = []
    for (let round = 0; round < 20; round++) {
      const server = await ready(await startProcess(here({ COUNTERSIGN_APP_ID: 'app' })))
      let going = true
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; going && i < 200; i++) {
          const username = `r${round}w${writer}n${i}`
          const answer = await post(server.url, '/users', { username, password: 'x' }, 'app').catch(() => undefined)
          if (answer?.status === 201) acknowledged.push({ username, objectId: answer.body.objectId as string })
        }
      })
      // In the middle of it: some are acknowledged, and others are on their way, at whatever point chance has them.
      const enough = acknowledged.length + 1 + Math.floor(Math.random() * 6)
      await expect.poll(() => acknowledged.length, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(enough)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
      server.child.kill('SIGKILL')
      going = false
      await server.exited
      await Promise.all(writers)
    }
    expect(acknowledged.length).toBeGreaterThan(50)
    const server = await ready(
      await startProcess(here({ COUNTERSIGN_APP_ID: 'app', COUNTERSIGN_MASTER_KEY: 'master' })),
    )
    for (const { username, objectId } of acknowledged) {
      const response = await fetch(`${server.url}/server/users/${objectId}`, {
        headers: { 'X-Parse-Application-Id': 'app', 'X-Parse-Master-Key': 'master' },
      })
      expect(await response.json()).toMatchObject({ username })
    }
    server.child.kill('SIGTERM')
    await server.exited
  })
})

describe('configuration', () => {
  test('mistakes are named with their source and a fix', async () => {
    const bad = await startProcess(
      here({ PORT: 'many', COUNTERSIGN_PUBLIC_URL: 'example.com', DATABASE_URL: 'mysql://x' }),
    )
    expect(await bad.exited).toBe(1)
    const output = bad.output()
    expect(output).toMatch(/port \(from PORT\)/)
    expect(output).toMatch(/publicUrl \(from COUNTERSIGN_PUBLIC_URL\): must be a full http/)
    expect(output).toMatch(/databaseUrl \(from DATABASE_URL\): must look like postgresql:/)
    expect(output).not.toMatch(/\n\s+at /)
  })

  test('a typed config file is read, and a misspelt setting is reported', async () => {
    await seedFolder(folder)
    const path = join(folder, 'countersign.config.ts')
    // Beside a server that came by npx there is no package of that name.
    const imports = `import { defineConfig } from 'countersign'\nconst name: string = 'Acme'\n`
    await writeFile(path, `${imports}export default defineConfig({ appName: name, verifyUserEmails: false })\n`)
    const server = await ready(await startProcess(here({ COUNTERSIGN_CONFIG: path })))
    expect(await (await fetch(`${server.url}/config.json`)).json()).toMatchObject({
      appName: 'Acme',
      verifyUserEmails: false,
      serverUrl: '/server',
      demoWallet: true,
    })
    server.child.kill('SIGTERM')
    await server.exited
    await writeFile(path, `export default { sesionLength: 5 }\n`)
    const bad = await startProcess(here({ COUNTERSIGN_CONFIG: path }))
    expect(await bad.exited).toBe(1)
    expect(bad.output()).toContain('sesionLength: unknown setting. Did you mean sessionLength?')
  })

  test.each([
    [['--help'], 0, 'countersign keys'],
    [['help'], 0, 'countersign keys'],
    [['help', 'schema'], 0, 'countersign schema apply [FILE]'],
    [['schema', '--help'], 0, 'countersign schema apply [FILE]'],
    [['--version'], 0, '0.'],
    [['version'], 0, '0.'],
    [['strat'], 1, 'Unknown command "strat"'],
    [['help', 'strat'], 1, 'Unknown command "strat"'],
    [['keys', '--data', '/nonexistent/folder'], 1, 'No keys found'],
    [['keys', 'push', '--data', '/nonexistent/folder'], 0, 'privateKey  '],
  ])('countersign %j ends with %i and says %j', async (args, code, said) => {
    const run = await startProcess(here(), args)
    expect([await run.exited, run.output()]).toEqual([code, expect.stringContaining(said)])
  })

  test('keys of a folder that is not there makes nothing', async () => {
    const missing = join(folder, 'mistyped')
    const run = await startProcess({ COUNTERSIGN_DATA: missing }, ['keys'])
    expect(await run.exited).toBe(1)
    expect(run.output()).toContain(join(missing, 'keys.json'))
    await expect(stat(missing)).rejects.toThrow('ENOENT')
  })
})
