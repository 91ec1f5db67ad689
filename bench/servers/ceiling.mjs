import { Algorithm, hash, verify } from '@node-rs/argon2'
import fastify from 'fastify'
import pg from 'pg'
import { listWorkloads } from '../workloads/listWorkloads.mjs'

const { PORT, DATABASE_URL } = process.env
const argon = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: DATABASE_URL, pipeline: true }))
await Promise.all(clients.map((client) => client.connect()))
await clients[0].query(`
  create table if not exists users (
    id text primary key, username text not null unique, password_hash text not null,
    created_at timestamptz not null default now()
  )`)
await clients[0].query(`
  create table if not exists sessions (
    token_hash bytea primary key, user_id text not null references users (id), expires_at timestamptz not null
  )`)

let turn = 0
/** @type {import('../types.d.ts').CeilingTools} */
const tools = {
  query: async (statement) => {
    turn = (turn + 1) % clients.length
    return (await clients[turn].query(statement)).rows
  },
  hash: (password) => hash(password, argon),
  verify,
}

const app = fastify()
app.get('/ready', () => ({ status: 'ok' }))
for (const workload of await listWorkloads()) await workload.ceiling?.(app, tools)
await app.listen({ port: Number(PORT), host: '127.0.0.1' })

process.once('SIGTERM', async () => {
  await app.close()
  await Promise.all(clients.map((client) => client.end()))
  process.exit(0)
})
