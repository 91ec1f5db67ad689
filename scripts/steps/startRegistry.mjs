import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import { npmCommand } from './programs/npmCommand.mjs'
import { runQuietly } from './run/runQuietly.mjs'

/**
 * A registry of npm that holds the packed packages and sends npm to the configured registry for everything else.
 *
 * @param {import('./packPackages.mjs').Packed[]} packed
 * @returns {Promise<{ url: string, env: NodeJS.ProcessEnv, asked: string[], stop: () => void }>} `env` makes npm use
    it; `asked` lists the tarballs of ours that were fetched
 */
export async function startRegistry(packed) {
  const { command, parameters, env } = npmCommand(['config', 'get', 'registry'])
  const { output } = await runQuietly(command, parameters, { env })
  const beyond = output
    .split('\n')
    .findLast((line) => line.startsWith('http'))
    ?.replace(/\/*$/, '/')
  if (!beyond) throw new Error(`npm names no registry: ${output}`)
  /** @type {string[]} */
  const asked = []
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(url.slice(1))
    const file = packed.find((each) => path === `-/${basename(each.file)}`)
    if (file) {
      asked.push(file.manifest.name)
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
      return void createReadStream(file.file).pipe(response)
    }
    const found = packed.find(({ manifest }) => path === manifest.name)
    if (!found) return void response.writeHead(307, { location: new URL(url.slice(1), beyond).href }).end()
    response.setHeader('content-type', 'application/json')
    response.setHeader('cache-control', 'no-store')
    response.end(JSON.stringify(describe(found)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const url = `http://127.0.0.1:${port}/`

  /** @param {import('./packPackages.mjs').Packed} found */
  function describe({ manifest, file, integrity }) {
    const { name, version } = manifest
    const dist = { tarball: `${url}-/${basename(file)}`, integrity }
    const versions = { [version]: { ...manifest, _id: `${name}@${version}`, dist } }
    return { name, 'dist-tags': { latest: version }, versions }
  }

  const own = {
    npm_config_registry: url,
    npm_config_noproxy: [env.npm_config_noproxy ?? env.NO_PROXY ?? env.no_proxy, '127.0.0.1'].filter(Boolean).join(),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_yes: 'true',
  }
  return { url, env: { ...env, ...own }, asked, stop: () => void server.close() }
}
