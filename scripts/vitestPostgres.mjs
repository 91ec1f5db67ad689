import { startPostgres } from './postgres.mjs'

/** One cluster for the whole run; the workers are started after this and inherit its address. */
export async function setup() {
  const postgres = await startPostgres()
  process.env.TEST_POSTGRES_URL = postgres.url
  return postgres.stop
}
