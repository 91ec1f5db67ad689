import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const web = join(root, 'packages/server/dist/web')
const bundles = 'node_modules/.cache/countersign/size'

/** The scripts that the page asks for before it can show anything. */
function listFirstLoad() {
  const page = join(web, 'index.html')
  if (!existsSync(page)) throw new Error(`${page} is missing. Build first: npm run build`)
  const tags = readFileSync(page, 'utf8').match(/<(script|link)\b[^>]*>/g) ?? []
  const addresses = tags
    .filter((tag) => tag.startsWith('<script') || tag.includes('modulepreload'))
    .map((tag) => tag.match(/\s(?:src|href)="([^"]+\.js)"/)?.[1])
  return addresses.filter((address) => address !== undefined).map((address) => join(web, address))
}

export default [
  { name: '@countersign/react/core', path: `${bundles}/core.js`, limit: '25 kB', gzip: true },
  { name: '@countersign/react', path: `${bundles}/index.js`, limit: '28 kB', gzip: true },
  { name: '@countersign/react with the sheet', path: `${bundles}/everything.js`, limit: '45 kB', gzip: true },
  { name: 'web application, first load', path: listFirstLoad(), limit: '120 kB', gzip: true },
]
