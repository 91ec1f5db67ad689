import { expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createOidcPeople } from '../testing/oidc/createOidcPeople.ts'
import { serveTests } from '../testing/serveTests.ts'
import { createStore } from './createStore.ts'
import { getProvider } from './getProvider.ts'

const server = serveTests({ rateLimit: [] })
const { createClient, signIn } = createOidcPeople(() => server)

/** A person with a connected app, and the end of it. */
async function connect(name: string) {
  const person = await server.signUp(name)
  const client = await createClient({ redirectUris: ['https://app.example/callback'] })
  const resource = `${server.context.publicUrl}${server.context.config.mount}`
  const { tokens } = await signIn(client, person, { scope: 'openid offline_access Score:read', resource })
  const provider = await getProvider(server.context)
  const { grantId = '' } = (await provider.RefreshToken.find(tokens.refresh_token ?? '')) ?? {}
  expect(grantId).not.toBe('')
  const payload = { grantId, accountId: person.objectId, clientId: client.clientId, aud: resource, scope: 'Score:read' }
  const { body } = await server.call('GET', '/auth/connectedApps', undefined, { token: person.token })
  const [app] = body.results as { id: string }[]
  const end = () => server.call('DELETE', `/auth/connectedApps/${app?.id}`, undefined, { token: person.token })
  const countLeft = async () => {
    const [left] = await server.context.db.query<{ count: number }>(sql`
      select (select count(*) from countersign.access_tokens where "user" = ${person.objectId})::int
        + (select count(*) from countersign.oidc_records
          where "user" = ${person.objectId} and model in ('AccessToken', 'RefreshToken'))::int as count`)
    return left?.count
  }
  return { payload, end, countLeft }
}

test('a token that is stored after its grant has ended is refused', async () => {
  const { payload, end, countLeft } = await connect('late')
  expect((await end()).status).toBe(200)
  for (const model of ['AccessToken', 'RefreshToken', 'AuthorizationCode', 'DeviceCode']) {
    const stored = createStore(server.context)(model).upsert(`late ${model}`, payload, 60)
    await expect(stored, model).rejects.toThrow('invalid_grant')
  }
  expect(await countLeft()).toBe(0)
})

test('a token that is being stored while its grant ends goes with it', async () => {
  const { payload, end, countLeft } = await connect('meanwhile')
  const { db } = server.context
  let ending: ReturnType<typeof end> | undefined
  await db.transaction(async () => {
    for (const model of ['AccessToken', 'RefreshToken'])
      await createStore(server.context)(model).upsert(`meanwhile ${model}`, payload, 60)
    ending = end()
    let isOver = false
    void ending.finally(() => {
      isOver = true
    })
    // Until the other transaction waits for this one, or did not have to.
    for (let waits = 0; waits === 0 && !isOver; ) {
      const [locks] = await db.query<{ count: number }>(
        sql`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      )
      waits = locks?.count ?? 0
    }
  })
  expect((await ending)?.status).toBe(200)
  expect(await countLeft()).toBe(0)
})
