import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../config/readConfig.ts'
import { loadKeyFile } from '../keys/loadKeys.ts'
import { seedFolder } from '../testing/seedFolder.ts'
import { serveTests } from '../testing/serveTests.ts'
import { readArguments } from './readArguments.ts'
import { runAccess } from './runAccess.ts'
import { runAudit } from './runAudit.ts'
import { runClient } from './runClient.ts'
import { runService } from './runService.ts'
import { usageOf } from './usages.ts'

const server = serveTests({ masterKey: 'a master key for these commands' })
let folder: string

const commands = new Map([
  ['access', runAccess],
  ['service', runService],
  ['client', runClient],
  ['audit', runAudit],
])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cs-access-'))
  await seedFolder(join(folder, 'data'))
  // The copied database has no keys.
  await loadKeyFile(await readConfig({ flags: { dataFolder: join(folder, 'data') } }))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command in this process; returns its output. */
async function run(...args: string[]): Promise<string> {
  let output = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text
    return true
  })
  try {
    const given = readArguments(args)
    await commands.get(given.command)?.(given)
    return output
  } catch (error) {
    return `${output}REFUSED ${(error as Error).message}`
  } finally {
    write.mockRestore()
  }
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const keyIn = (output: string) => /^Key {2}(cs_\S+) {3}\(shown only once\)$/m.exec(output)?.[1] ?? output
const idIn = (output: string) => output.split('  ', 1)[0] ?? ''

describe('through a running server', () => {
  const ask = (...args: string[]) => run(...args, '--server', `${server.url}/server`)

  beforeEach(() => {
    vi.stubEnv('COUNTERSIGN_APP_ID', server.appId)
    vi.stubEnv('COUNTERSIGN_MASTER_KEY', server.masterKey)
  })

  test('a service account gets keys, which rotate and end', async () => {
    const master = { master: true }
    await server.call('POST', '/roles', { name: 'night crew', ACL: {} }, master)
    expect(await ask('service', 'create', 'importer', '--roles', 'night crew')).toMatch(
      /^\w+ {2}service:importer {2}roles night crew, 0 keys, never used\n/,
    )
    const made = await ask(
      'access',
      'create',
      'nightly',
      '--service',
      'importer',
      '--scopes',
      'Score:read, Score:write',
    )
    expect(made).toMatch(/^\w+ {2}nightly …\w{4} {2}service:importer, Score:read Score:write, never used\n/)
    const read = async (key: string) => (await server.call('GET', '/classes/Score', undefined, bearer(key))).status
    await server.call('POST', '/classes/Score', { n: 1 }, master)
    expect(await read(keyIn(made))).toBe(200)
    const next = await ask('access', 'rotate', idIn(made), '--overlap', '2')
    expect(next).toContain('The former key stays valid for 2 hours.')
    expect([await read(keyIn(made)), await read(keyIn(next))]).toEqual([200, 200])
    server.clock.forward(2 * 3_600_000 + 1)
    expect([await read(keyIn(made)), await read(keyIn(next))]).toEqual([400, 200])
    expect(await ask('access', 'list', '--service', 'service:importer')).toMatch(/^\w+ {2}nightly [^\n]+used 20\S+\n$/)
    expect(await ask('service', 'list')).toContain('service:importer  roles night crew, 1 key, used')
    expect(await ask('access', 'revoke', idIn(next))).toContain('no longer works')
    expect(await read(keyIn(next))).toBe(400)
    expect(await ask('service', 'roles', 'importer', '--roles', '')).toContain('no roles')
    expect(await ask('service', 'delete', 'importer')).toContain('importer was deleted')
    expect(await ask('service', 'list')).toBe('No service accounts.\n')
  })

  test('an operator key has scopes, addresses and an end', async () => {
    const limits = ['--addresses', '10.0.0.0/8', '--expires', '30']
    const made = await ask('access', 'create', 'backups', '--scopes', 'backup', ...limits)
    expect(made).toMatch(/operator key, backup, from 10\.0\.0\.0\/8, never used, expires 20/)
    const [key] = JSON.parse(await ask('access', 'list', '--json')) as [{ expiresAt: string; createdAt: string }]
    const days = (Date.parse(key.expiresAt) - Date.parse(key.createdAt)) / (24 * 3_600_000)
    expect(days).toBeCloseTo(30, 1)
    const away = await server.call('GET', '/console/backups', undefined, bearer(keyIn(made)))
    expect(away.body.reason).toBe('addressNotAllowed')
    expect(await ask('access', 'scopes')).toMatch(/^backup +Create and list backups \(operator\)$/m)
  })

  test('clients of the OpenID provider are created, changed and deleted', async () => {
    const page = 'https://wiki.example.com/callback'
    const made = await ask('client', 'create', 'Wiki', '--redirect', page, '--website', 'https://wiki.example.com')
    expect(made).toMatch(
      /^\S+ {2}Wiki {2}with a secret, 0 accounts, https:\/\/wiki\.example\.com\/callback\nClient secret {2}cs_oidc_\S+/,
    )
    const id = idIn(made)
    const changed = await ask('client', 'update', id, '--name', 'Handbook', '--trusted', 'on', '--device', 'on')
    expect(changed).toBe(`${id}  Handbook  with a secret, trusted, device flow, 0 accounts, ${page}\n`)
    const secretOf = (output: string) => /cs_oidc_\w+/.exec(output)?.[0]
    const renewed = await ask('client', 'renew', id)
    expect(secretOf(renewed)).toMatch(/^cs_oidc_/)
    expect(secretOf(renewed)).not.toBe(secretOf(made))
    expect(await ask('client', 'list')).toContain('Handbook')
    expect(await ask('client', 'delete', id)).toContain('was deleted')
    expect(await ask('client', 'list')).toBe('No clients.\n')
    const terminal = idIn(await ask('client', 'create', 'Terminal', '--public', '--device', 'on'))
    expect(await ask('client', 'renew', terminal)).toBe('REFUSED Terminal is a public client, which has no secret.')
  })

  test.each([
    [['access'], 'Usage: countersign access list, create NAME'],
    [['access', 'create'], 'Usage'],
    [['access', 'create', 'x'], '--scopes "users:read backup"'],
    [['access', 'create', 'x', '--scopes', 'everything'], 'everything'],
    [['access', 'create', 'x', '--scopes', 'backup', '--expires', '0'], '--expires must be a positive whole number'],
    [['access', 'create', 'x', '--scopes', 'backup', '--expires', '9999'], 'expiresIn'],
    [['access', 'create', 'x', '--scopes', 'backup', '--addresses', 'here'], 'addresses must be IP addresses'],
    [['access', 'create', 'x', '--scopes', 'Score:read', '--service', 'nobody'], 'Service account not found: nobody'],
    [['access', 'rotate', 'unknown'], 'Object not found'],
    [['access', 'revoke', '..'], 'Not found: ..'],
    [['access', 'list', '--role', 'admin'], 'Unknown option --role of countersign access'],
    [['service', 'create', 'two words'], 'letters, digits'],
    [['service', 'create', 'x', '--roles', 'unknown role'], 'Object not found'],
    [['service', 'roles', 'x'], 'Pass all roles'],
    [['service', 'delete', 'nobody'], 'Service account not found'],
    [['client', 'create', 'x'], ''],
    [['client', 'create', 'x', '--redirect', 'http://example.com/'], 'http://example.com/'],
    [['client', 'update', 'x'], 'Pass what changes'],
    [['client', 'update', 'x', '--trusted', 'yes'], '--trusted must be on or off'],
    [['client', 'renew', 'x'], 'Client not found: x'],
  ])('%j is refused with a reason', async (args, message) => {
    const output = await ask(...args)
    expect(output).toMatch(/^REFUSED /)
    expect(output).toContain(message)
  })
})

test('help names every option', () => {
  for (const command of ['access', 'service', 'client']) {
    for (const [, option] of usageOf(command).matchAll(/^ {2}--([\w-]+)/gm))
      expect(() => readArguments([command, `--${option}`, 'on'])).not.toThrow(`--${option}`)
  }
})

test('without a server, a key is made in the data folder, and the audit log has it', async () => {
  vi.unstubAllEnvs()
  const at = ['--data', join(folder, 'data')]
  expect(await run('service', 'create', 'offline', ...at)).toContain('service:offline  no roles')
  expect(await run('access', 'create', 'k', '--service', 'offline', '--scopes', 'Score:read', ...at)).toMatch(/cs_svc_/)
  expect(await run('access', 'list', ...at)).toContain('service:offline, Score:read, never used')
  const entries = (await run('audit', 'export', ...at))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.slice(0, 2)).toMatchObject([
    { actor: 'masterKey', action: 'createAccessKey', details: { name: 'k', scopes: ['Score:read'] } },
    { actor: 'masterKey', action: 'createService', details: { name: 'offline' } },
  ])
  expect(await run('audit', 'verify', ...at)).not.toContain('REFUSED')
  expect(await run('access', 'list', '--data', join(folder, 'mistyped'))).toContain('No installation found')
})
