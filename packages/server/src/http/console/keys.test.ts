import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { retireConsoleKeys, rotateConsoleKeys } from '../../console/keys.ts'
import { loadKeyFile } from '../../keys/loadKeys.ts'
import { decrypt, encrypt } from '../../keys/secrets.ts'
import { openConsole } from '../../testing/openConsole.ts'

const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(office.start)
beforeEach(office.renew)
afterAll(office.stop)

/** Time (ms) given to servers to notice a key. */
const patience = 50

test('keys are listed by origin, and secret ones never with their values', async () => {
  const { keys } = office.server.context
  const listed = await ask(watcher, 'GET', '/console/keys')
  expect(listed.body).toEqual({
    isRotating: false,
    results: [
      { name: 'appId', source: 'made', value: keys.appId, hasFormer: false },
      { name: 'javascriptKey', source: 'made', value: keys.javascriptKey, hasFormer: false },
      { name: 'masterKey', source: 'made', hasFormer: false },
      { name: 'secret', source: 'made', hasFormer: false },
    ],
  })
  for (const secret of [keys.masterKey, keys.secret]) expect(listed.text).not.toContain(secret)
})

test('others change none, and it needs the word for it and a recent proof', async () => {
  const before = { ...office.server.context.keys }
  for (const path of ['/console/keys/rotate', '/console/keys/retire']) {
    expect((await ask(watcher, 'POST', path, { confirm: true })).body.reason).toBe('operatorForbidden')
    expect((await ask(helper, 'POST', path, { confirm: true })).body.reason).toBe('operatorForbidden')
    expect((await ask(ann, 'POST', path, { confirm: true })).status).toBe(404)
    for (const confirm of [false, 'true', undefined])
      expect((await ask(root, 'POST', path, { confirm })).status).toBe(400)
  }
  expect((await ask(root, 'POST', '/console/keys/retire', { confirm: true })).status).toBe(409)
  office.server.clock.forward(901_000)
  const late = await ask(root, 'POST', '/console/keys/rotate', { confirm: true })
  expect(late.body.reason).toBe('reauthenticationRequired')
  expect(office.server.context.keys).toEqual(before)
})

test('a rotation shows the new master key once; the former hold until they are retired', async () => {
  const { context } = office.server
  const before = { ...context.keys }
  const sealed = encrypt(context.keys, 'totp', 'a secret of a user')
  const [one, other] = await Promise.allSettled([
    rotateConsoleKeys(context, patience),
    rotateConsoleKeys(context, patience),
  ])
  expect(other).toMatchObject({ status: 'rejected', reason: { status: 409 } })
  const masterKey = one.status === 'fulfilled' ? one.value.masterKey : undefined
  expect(masterKey).toBeTypeOf('string')
  expect(masterKey).not.toBe(before.masterKey)
  expect(context.keys).toMatchObject({ masterKey, formerMasterKey: before.masterKey, formerSecret: before.secret })
  // Again while it is under way: it goes on, and shows nothing.
  expect(await rotateConsoleKeys(context, patience)).toEqual({ resealed: 0, unreadable: 0 })
  const listed = await ask(root, 'GET', '/console/keys')
  expect(listed.body).toMatchObject({ isRotating: true })
  expect(listed.text).not.toContain(masterKey)
  expect(decrypt(context.keys, 'totp', sealed)).toBe('a secret of a user')
  const retired = await ask(root, 'POST', '/console/keys/retire', { confirm: true })
  expect(retired.status).toBe(200)
  expect(context.keys.formerSecret).toBeUndefined()
  expect(decrypt(context.keys, 'totp', sealed)).toBeUndefined()
  expect((await ask(root, 'GET', '/console/keys')).body).toMatchObject({ isRotating: false })
})

test('keys in a file, as beside an embedded database, are changed there and in the server that runs', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'countersign-keys-'))
  const { context } = office.server
  const config = { ...context.config, dataFolder }
  const keys = await loadKeyFile(config)
  const before = { ...keys }
  const running = { ...context, config, keys }
  const { masterKey } = await rotateConsoleKeys(running, patience)
  const kept = JSON.parse(await readFile(join(dataFolder, 'keys.json'), 'utf8'))
  expect(kept).toMatchObject({ masterKey, formerMasterKey: before.masterKey, formerSecret: before.secret })
  expect(keys).toMatchObject({ masterKey, secret: kept.secret, formerSecret: before.secret })
  await retireConsoleKeys(running)
  expect(keys).not.toHaveProperty('formerSecret')
  // A file changed by somebody else is left alone.
  keys.secret = 'another'
  await expect(rotateConsoleKeys(running, patience)).rejects.toMatchObject({ status: 409 })
  await rm(dataFolder, { recursive: true })
})
