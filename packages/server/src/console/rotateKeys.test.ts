import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyAudit } from '../audit/chain.ts'
import { sql } from '../db/sql.ts'
import { decrypt, decryptWith, encrypt } from '../keys/secrets.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { passingUses, retireKeys, rotateKeys, sealedColumns } from './rotateKeys.ts'

let server: TestServer
beforeEach(async () => {
  server = await createTestServer()
})
afterEach(() => server.stop())

const place = () => ({ db: server.context.db, config: server.context.config, isFile: false, patience: 50 })

test('a rotation under a running server: both keys hold, sealed data is sealed again, the former are void once retired', async () => {
  const { db, keys } = server.context
  const before = { ...keys }
  const ada = await server.signUp('ada')
  const me = () => server.call('GET', '/users/me', undefined, { token: ada.token })
  await db.query(sql`update "_Session" set "_proof" = ${encrypt(keys, 'session proof', '{"message":"m"}')}`)
  const proof = async () => {
    const [row] = await db.query<{ proof: Buffer }>(sql`select "_proof" as proof from "_Session" limit 1`)
    return row?.proof ?? Buffer.alloc(0)
  }
  const sealed = await proof()
  const asMaster = async (masterKey: string) => {
    const response = await fetch(`${server.serverUrl}/schemas`, {
      headers: { 'X-Parse-Application-Id': keys.appId, 'X-Parse-Master-Key': masterKey },
    })
    return response.status
  }

  const { resealed, unreadable, masterKey = '' } = await rotateKeys(place())
  expect({ resealed, unreadable }).toEqual({ resealed: 1, unreadable: 0 })
  expect(masterKey).not.toBe(before.masterKey)
  await expect.poll(() => keys.masterKey).toBe(masterKey)
  expect(keys.secret).not.toBe(before.secret)
  expect(keys.formerSecret).toBe(before.secret)
  expect(decryptWith(keys.secret, 'session proof', await proof())).toBe('{"message":"m"}')
  expect(decrypt(keys, 'session proof', sealed)).toBe('{"message":"m"}')
  expect([await asMaster(masterKey), await asMaster(before.masterKey)]).toEqual([200, 200])
  expect((await me()).status).toBe(200)
  expect((await verifyAudit(server.context)).faults).toEqual([])

  // Again while it is under way: no third key, and nothing left to do.
  expect(await rotateKeys(place())).toEqual({ resealed: 0, unreadable: 0, masterKey })

  await retireKeys(place())
  await expect.poll(() => keys.formerSecret).toBe(undefined)
  expect(await asMaster(masterKey)).toBe(200)
  expect(await asMaster(before.masterKey)).toBe(403)
  expect(decrypt(keys, 'session proof', sealed)).toBe(undefined)
  expect(decrypt(keys, 'session proof', await proof())).toBe('{"message":"m"}')
  expect((await me()).status).toBe(200)
  expect((await verifyAudit(server.context)).faults).toEqual([])
  const noted = await db.query(
    sql`select actor, action, subject from countersign.audit where action like 'key.%' order by id`,
  )
  expect(noted).toEqual([
    { actor: 'operator', action: 'key.rotate', subject: 'secret, masterKey' },
    { actor: 'operator', action: 'key.retire', subject: 'secret, masterKey' },
  ])
  await expect(retireKeys(place())).rejects.toThrow('no previous keys')
})

test('of several rotations at once one takes place, and nothing is sealed with a secret that is lost', async () => {
  const { db, keys } = server.context
  await server.signUp('ada')
  await db.query(sql`update "_Session" set "_proof" = ${encrypt(keys, 'session proof', 'kept')}`)
  const outcomes = await Promise.allSettled([rotateKeys(place()), rotateKeys(place()), rotateKeys(place())])
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  await rotateKeys(place())
  await retireKeys(place())
  await expect.poll(() => keys.formerSecret ?? keys.nextSecret).toBe(undefined)
  const [row] = await db.query<{ proof: Buffer }>(sql`select "_proof" as proof from "_Session" limit 1`)
  await expect.poll(() => decrypt(keys, 'session proof', row?.proof ?? Buffer.alloc(0))).toBe('kept')
})

test('every column that holds encrypted data is encrypted again, whatever its name', async () => {
  const { db, keys } = server.context
  const sealed = (use: (typeof sealedColumns)[number]['use']) => encrypt(keys, use, 'kept')
  await db.query(sql`insert into countersign.settings (name, value, changed, by)
    values ('mail.url', ${sealed('setting')}, now(), 'operator')`)
  await db.query(sql`
    insert into countersign.oidc_keys (kid, key, created) values ('another', ${sealed('oidc signing key')}, now())`)
  await rotateKeys(place())
  await retireKeys(place())
  await expect.poll(() => keys.formerSecret).toBe(undefined)
  const [row] = await db.query<{ setting: Buffer; key: Buffer }>(sql`
    select value as setting, (select key from countersign.oidc_keys where kid = 'another') as key
    from countersign.settings where name = 'mail.url'`)
  expect(decrypt(keys, 'setting', row?.setting ?? Buffer.alloc(0))).toBe('kept')
  expect(decrypt(keys, 'oidc signing key', row?.key ?? Buffer.alloc(0))).toBe('kept')
  await db.query(sql`delete from countersign.settings; delete from countersign.oidc_keys`)
})

test('counts and keeps data that only a stranger’s secret opens', async () => {
  const { db, keys } = server.context
  await server.signUp('ada')
  const foreign = encrypt({ ...keys, secret: 'another' }, 'session proof', 'x')
  await db.query(sql`update "_Session" set "_proof" = ${foreign}`)
  expect(await rotateKeys(place())).toMatchObject({ resealed: 0, unreadable: 1 })
  const [row] = await db.query<{ proof: Buffer }>(sql`select "_proof" as proof from "_Session" limit 1`)
  expect(row?.proof.equals(foreign)).toBe(true)
})

test('every use of encryption in the server is in the list of what is encrypted again, and every column is there', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const uses = new Set<string>()
  for (const name of await readdir(root, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name.startsWith('testing')) continue
    const text = await readFile(join(root, name), 'utf8')
    for (const [, use = ''] of text.matchAll(/\bencrypt\(\s*[\w.]*keys,\s*'([^']+)'/g)) uses.add(use)
  }
  expect([...uses].sort()).toEqual([...new Set([...sealedColumns.map(({ use }) => use), ...passingUses])].sort())
  for (const { table, column, id } of sealedColumns)
    await server.context.db.query(sql`select ${sql.raw(id)}, ${sql.raw(column)} from ${sql.raw(table)} limit 1`)
})
