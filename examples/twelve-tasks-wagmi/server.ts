import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { betterAuth } from 'better-auth'
import { generateRandomString } from 'better-auth/crypto'
import { siwe, username } from 'better-auth/plugins'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { streamSSE } from 'hono/streaming'
import { validator } from 'hono/validator'
import { type Generated, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { createPublicClient, type Hex, http } from 'viem'
import { mainnet } from 'viem/chains'
import { z } from 'zod'

type Tables = {
  game: { id: Generated<string>; title: string; likes: Generated<number>; cover: string | null; owner: string }
  message: { id: Generated<string>; text: string; game: string; author: string; created_at: Generated<Date> }
}
const pool = new Pool({ connectionString: process.env.DATABASE_URL })
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
const chain = createPublicClient({ chain: mainnet, transport: http() })
const events = new EventEmitter() // One process alone: several need PostgreSQL's NOTIFY, or Redis.

export const auth = betterAuth({
  database: pool,
  emailAndPassword: { enabled: true },
  user: { additionalFields: { nick: { type: 'string', required: false } } },
  plugins: [
    username(),
    siwe({
      domain: process.env.DOMAIN ?? 'localhost:3000',
      getNonce: async () => generateRandomString(32, 'a-z', 'A-Z', '0-9'),
      verifyMessage: ({ message, signature }) => chain.verifySiweMessage({ message, signature: signature as Hex }),
    }),
  ],
})

export async function migrate() {
  await sql`create table if not exists game (id uuid primary key default gen_random_uuid(), title text not null,
    likes int not null default 0, cover text, owner text not null)`.execute(db)
  await sql`create table if not exists message (id uuid primary key default gen_random_uuid(), text text not null,
    game uuid not null references game, author text not null, created_at timestamptz not null default now())`.execute(
    db,
  )
}

const parse = <Target extends 'json' | 'query', Schema extends z.ZodType>(target: Target, schema: Schema) =>
  validator(target, (value, c) => {
    const { data, error } = schema.safeParse(value)
    return error ? c.json({ message: z.prettifyError(error) }, 400) : data
  })
const newGame = z.object({ title: z.string().min(1).max(200), cover: z.string().max(200) })
const newMessage = z.object({ text: z.string().min(1).max(2000) })
const digits = z.string().regex(/^\d{1,9}$/)
const cursor = z.object({ likes: digits, id: z.uuid() }).partial()

type Env = { Variables: { userId: string } }
const api = new Hono<Env>()
  .basePath('/api')
  .use('*', async (c, next) => {
    const session = await auth.api.getSession({ headers: c.req.raw.headers })
    if (!session) return c.json({ message: 'Sign in first.' }, 401)
    c.set('userId', session.user.id)
    await next()
  })
  .get('/games', parse('query', cursor), async (c) => {
    const { likes, id } = c.req.valid('query')
    let query = db.selectFrom('game').selectAll().orderBy('likes', 'desc').orderBy('id').limit(21)
    if (likes && id) query = query.where(sql<boolean>`(-likes, id) > (${-Number(likes)}, ${id}::uuid)`)
    const rows = await query.execute()
    return c.json({ games: rows.slice(0, 20), hasMore: rows.length > 20 })
  })
  .post('/games', parse('json', newGame), async (c) => {
    const values = { ...c.req.valid('json'), owner: c.var.userId }
    return c.json(await db.insertInto('game').values(values).returningAll().executeTakeFirstOrThrow(), 201)
  })
  .post('/games/:id/like', async (c) => {
    const query = db.updateTable('game').set({ likes: sql`likes + 1` }).where('id', '=', c.req.param('id'))
    const game = await query.returningAll().executeTakeFirst()
    return game ? c.json(game, 200) : c.json({ message: 'There is no such game.' }, 404)
  })
  .get('/averageLikes', parse('query', z.object({ minimum: digits })), async (c) => {
    const query = db.selectFrom('game').select(({ fn }) => fn.avg<string | null>('likes').as('average'))
    const { average } = await query.where('likes', '>=', Number(c.req.valid('query').minimum)).executeTakeFirstOrThrow()
    return c.json({ average: Number(average ?? 0) })
  })
  .post('/files', bodyLimit({ maxSize: 20_000_000 }), async (c) => {
    const name = `${randomUUID()}.${z.enum(['png', 'jpg', 'webp']).parse(c.req.query('extension'))}`
    await mkdir('files', { recursive: true })
    await writeFile(`files/${name}`, new Uint8Array(await c.req.arrayBuffer()))
    return c.json({ url: `/files/${name}` }, 201)
  })
  .get('/games/:id/messages', async (c) => {
    const query = db.selectFrom('message').selectAll().where('game', '=', c.req.param('id')).orderBy('created_at')
    return c.json(await query.limit(1000).execute())
  })
  .post('/games/:id/messages', parse('json', newMessage), async (c) => {
    const values = { ...c.req.valid('json'), game: c.req.param('id'), author: c.var.userId }
    const message = await db.insertInto('message').values(values).returningAll().executeTakeFirstOrThrow()
    events.emit(message.game, message)
    return c.json(message, 201)
  })
  .get('/games/:id/live', (c) =>
    streamSSE(c, async (stream) => {
      const send = (message: object) => void stream.writeSSE({ data: JSON.stringify(message) })
      events.on(c.req.param('id'), send)
      stream.onAbort(() => void events.off(c.req.param('id'), send))
      while (!stream.aborted) await stream.sleep(1000)
    }),
  )

export type Api = typeof api

const server = new Hono().on(['GET', 'POST'], '/api/auth/*', (c) => auth.handler(c.req.raw)).route('/', api)
server.get('/files/*', serveStatic({ root: '.' }))
if (process.argv[1] === import.meta.filename) {
  await migrate()
  serve({ fetch: server.fetch, port: 3000 })
}
