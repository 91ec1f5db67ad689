import pg from 'pg'

/**
 * One database for each name, so that no competitor reads through another's pages.
 *
 * @param {string} url of a database to connect to
 * @param {string[]} names
 * @returns {Promise<{ urls: Map<string, string>, version: string }>}
 */
export async function createDatabases(url, names) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const urls = new Map()
  for (const name of names) {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
    const own = new URL(url)
    own.pathname = `/${name}`
    urls.set(name, own.href)
  }
  const { rows } = await client.query('show server_version')
  await client.end()
  return { urls, version: rows[0].server_version }
}
