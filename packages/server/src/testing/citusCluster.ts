import { Client } from 'pg'

/** Coordinator first: a Citus cluster whose role may create databases on every node. */
export function readCluster(): string[] {
  const coordinator = process.env.TEST_CITUS_URL
  const workers = (process.env.TEST_CITUS_WORKERS ?? '').split(',').filter(Boolean)
  if (!coordinator || workers.length === 0) {
    throw new Error('TEST_CITUS_URL and TEST_CITUS_WORKERS (with commas) must name the nodes of a Citus cluster.')
  }
  return [coordinator, ...workers]
}

/** Creates a database on every node and joins them, or copies one that is joined already. */
export async function createSpread(cluster: readonly string[], name: string, template?: string): Promise<void> {
  for (const node of cluster) {
    if (template === undefined) await run(node, `create database ${name} template template0 encoding 'UTF8'`)
    else await copyDatabase(node, template, name)
  }
  if (template !== undefined) return
  for (const node of cluster) await run(at(node, name), 'create extension citus')
  const [coordinator = '', ...workers] = cluster
  const placeOf = (node: string) => {
    const { hostname, port } = new URL(node)
    return `'${hostname}', ${port}`
  }
  await run(at(coordinator, name), `select citus_set_coordinator_host(${placeOf(coordinator)})`)
  for (const worker of workers) await run(at(coordinator, name), `select citus_add_node(${placeOf(worker)})`)
}

export async function dropSpread(cluster: readonly string[], name: string): Promise<void> {
  for (const node of cluster) await retry(node, name, `drop database if exists ${name} with (force)`)
}

/** Background work of Citus is connected to a database, which cannot be copied, renamed or dropped then. */
const disconnect = (name: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`

export const renameDatabase = (node: string, from: string, to: string): Promise<void> =>
  retry(node, from, `alter database ${from} rename to ${to}`)

const copyDatabase = (node: string, from: string, to: string): Promise<void> =>
  retry(node, from, `create database ${to} template ${from}`)

async function retry(node: string, name: string, statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await run(node, disconnect(name))
      return await run(node, statement)
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || tries >= 20) throw error
    }
  }
}

const at = (node: string, database: string) => Object.assign(new URL(node), { pathname: `/${database}` }).href

async function run(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
