import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ready, type ServerProcess, startProcess } from '../testing/startProcess.ts'

let folder: string
let server: ServerProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-admin-'))
})
afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.exited
  await rm(folder, { recursive: true, force: true })
})

const stop = async () => {
  server.child.kill('SIGTERM')
  await server.exited
}

async function call(method: string, path: string, body?: object, token?: string) {
  const { appId } = (await (await fetch(`${server.url}/config.json`)).json()) as { appId: string }
  const response = await fetch(`${server.url}/server${path}`, {
    method,
    headers: {
      'X-Parse-Application-Id': appId,
      'Content-Type': 'application/json',
      'X-Countersign-Console': '1',
      ...(token && { 'X-Parse-Session-Token': token }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function admin(...args: string[]) {
  const port = new URL(server.url).port
  const run = await startProcess({ COUNTERSIGN_DATA: folder, PORT: port }, ['admin', ...args])
  return { code: await run.exited, text: run.output() }
}

test('the first start prints a link that makes the first operator; the next start of a used installation prints none', async () => {
  server = await ready(await startProcess({ COUNTERSIGN_DATA: folder }))
  const link = /\/admin\/claim#(\S+)/.exec(server.output())?.[1] ?? ''
  expect(link).not.toBe('')
  await stop()
  // Started again before anyone came: the same link.
  server = await ready(await startProcess({ COUNTERSIGN_DATA: folder }))
  const second = /\/admin\/claim#(\S+)/.exec(server.output())?.[1] ?? ''
  const made = await call('POST', '/users', { username: 'first', password: 'first password' })
  const token = made.body.sessionToken as string
  expect(second).toBe(link)
  expect((await call('POST', '/console/claim', { token: link }, token)).body).toEqual({ role: 'admin' })
  const again = await call('POST', '/console/claim', { token: link }, token)
  expect(again.body).toMatchObject({ reason: 'operatorLinkExpired' })
  expect(again.body.error).toContain('countersign admin link')
  expect((await call('GET', '/console', undefined, token)).body.role).toBe('admin')
  await stop()
  server = await ready(await startProcess({ COUNTERSIGN_DATA: folder }))
  expect(server.output()).not.toContain('/admin/claim')
}, 180_000)

test('countersign admin makes operators beside a running server, and without one', async () => {
  const made = await admin('create', '--username', 'boss', '--role', 'support')
  expect(made.code, made.text).toBe(0)
  const password = /Password {2}(\S+)/.exec(made.text)?.[1] ?? ''
  const signedIn = await call('POST', '/login', { username: 'boss', password })
  expect((await call('GET', '/console', undefined, signedIn.body.sessionToken as string)).body.role).toBe('support')
  // Somebody else may have taken the name: nobody becomes an operator by it.
  await call('POST', '/users', { username: 'root', password: 'a stranger’s password' })
  const taken = await admin('create', '--username', 'root')
  expect(taken.code).toBe(1)
  expect((await admin('list')).text).not.toContain('root')
  expect((await admin('link', '--role', 'viewer')).text).toMatch(/\/admin\/claim#\S{20,}/)
  await stop()
  expect((await admin('grant', 'boss', '--role', 'viewer')).code).toBe(0)
  expect((await admin('list')).text).toMatch(/viewer +\S+ +boss/)
  expect((await admin('remove', 'first')).text).toContain('last administrator')
  expect((await admin('remove', 'boss')).code).toBe(0)
  expect((await admin('grant', 'nobody')).text).toContain('User not found: nobody')
  expect((await admin('create', '--username', 'x', '--role', 'king')).text).toContain(
    '--role must be admin, support or viewer',
  )
}, 180_000)
