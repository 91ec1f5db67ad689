import { createHash } from 'node:crypto'
import { newObjectId } from '../../classes/names.ts'
import { sql } from '../../db/sql.ts'
import { createWallet } from '../chain/createWallet.ts'
import type { TestServer } from '../createTestServer.ts'
import { keepPasskey } from './keepPasskey.ts'

export type Victim = {
  objectId: string
  token: string
  username: string
  sessionId: string
  wallet: string
  address: string
  solana: string
  unlinked: string
  passkey: string
  removedPasskey: string
  merge: string
  merged: string
  doc: string
}

/** Accounts with one of everything that opens an account, and what is kept of them. */
export function createVictims(serverOf: () => TestServer) {
  let count = 0

  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row)
    const text = `insert into countersign.${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`
    return serverOf().context.db.query({ text, values: Object.values(row) })
  }

  /** An account with one of everything, and two sessions, none of them confirmed within the last quarter of an hour. */
  async function makeVictim(): Promise<Victim> {
    const username = `victim${++count}`
    const email = `${username}@example.com`
    const { objectId, token } = await serverOf().signUp(username, { email })
    await serverOf().call('POST', '/login', { username, password: `${username} password` })
    const { body: session } = await serverOf().call('GET', '/sessions/me', undefined, { token })
    const now = serverOf().clock.now()
    const wallet = async (table: string, namespace: string, address: string, more: object = {}) => {
      const walletId = newObjectId()
      const kind = namespace === 'solana' ? 'solana' : 'eoa'
      const row = { key: `${namespace}:${address}`, objectId: walletId, user: objectId, namespace, kind, address }
      await insert(table, { ...row, is_primary: table === 'wallets', linked: now, last_used: now, ...more })
      return walletId
    }
    const address = createWallet().address.toLowerCase()
    const solana = createHash('sha256').update(username).digest('hex')
    const made = {
      wallet: await wallet('wallets', 'eip155', address),
      unlinked: await wallet('unlinked_wallets', 'eip155', createWallet().address.toLowerCase(), {
        expires: new Date(now.getTime() + 3_600_000),
      }),
      passkey: await keepPasskey(serverOf(), objectId),
      removedPasskey: await keepPasskey(serverOf(), objectId, new Date(now.getTime() + 3_600_000)),
    }
    await wallet('wallets', 'solana', solana)
    await serverOf().call('PUT', `/users/${objectId}`, { authData: { social: { id: username } } }, { token })
    await insert('unlinked_identities', {
      provider: 'other',
      id: username,
      user: objectId,
      linked: now,
      expires: new Date(now.getTime() + 3_600_000),
    })
    await serverOf().call('POST', '/auth/recoveryCodes', {}, { token })
    const other = await serverOf().signUp(`other${count}`)
    const [merge, merged] = [newObjectId(), newObjectId()]
    const plan = { from: other.objectId, into: objectId, wallet: `eip155:${address}`, proven: now }
    const expires = new Date(now.getTime() + 3_600_000)
    await insert('merges', { objectId: merge, ...plan, expires })
    await insert('merges', {
      objectId: merged,
      ...plan,
      expires,
      merged: now,
      undo_until: expires,
      undo: Buffer.alloc(1),
    })
    const { body: doc } = await serverOf().call('POST', '/classes/Doc', { text: 'x' }, { token })
    await insert('second_factors', { user: objectId, secret: Buffer.alloc(40), confirmed: now, created: now })
    await insert('remembered_devices', { hash: Buffer.from(objectId), user: objectId, created: now, expires })
    serverOf().clock.forward(901_000)
    return {
      objectId,
      token,
      username,
      sessionId: session.objectId as string,
      address,
      solana,
      merge,
      merged,
      doc: doc.objectId as string,
      ...made,
    }
  }

  /** All sign-in methods of the account, and everything that ends it or warns its owner. */
  async function snapshot({ objectId }: Victim): Promise<Record<string, unknown>> {
    const read = (text: string) => serverOf().context.db.query({ text, values: [objectId] })
    return {
      user: await read(
        `select username, "_username_key", email, "_email_key", "emailVerified", "_password_hash", encode("_anonymous", 'hex') as anonymous
         from "_User" where "objectId" = $1`,
      ),
      wallets: await read('select key, "objectId", kind from countersign.wallets where "user" = $1 order by key'),
      unlinked: await read('select key, expires from countersign.unlinked_wallets where "user" = $1 order by key'),
      passkeys: await read('select "objectId", credential from countersign.passkeys where "user" = $1 order by 1'),
      removedPasskeys: await read('select "objectId", expires from countersign.removed_passkeys where "user" = $1'),
      identities: await read('select provider, id from countersign.identities where "user" = $1 order by 1, 2'),
      unlinkedIdentities: await read('select provider, id from countersign.unlinked_identities where "user" = $1'),
      codes: await read(
        `select encode(hash, 'hex') as hash, used from countersign.recovery_codes where "user" = $1 order by 1`,
      ),
      factors: await read(
        `select encode(secret, 'hex') as secret, confirmed, by_passkey from countersign.second_factors where "user" = $1`,
      ),
      settings: await read('select sign_in_alerts from countersign.account_settings where "user" = $1'),
      merges: await read('select "objectId", merged, undone from countersign.merges where "into" = $1 order by 1'),
      tokens: await read('select id, scopes from countersign.access_tokens where "user" = $1 order by 1'),
      deletions: await read('select due from countersign.deletions where "user" = $1'),
      sessions: await sessions(objectId),
    }
  }

  const sessions = (userId: string) =>
    serverOf().context.db.query<{ objectId: string }>(
      sql`select "objectId", encode("_token_hash", 'hex') as token, "expiresAt", "_confirmed" from "_Session" where "user" = ${userId} order by 1`,
    )

  return { makeVictim, snapshot }
}
