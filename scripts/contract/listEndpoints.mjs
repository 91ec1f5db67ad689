import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/root.mjs'

const source = 'packages/server/src'
const target = 'packages/server/src/http/generated/endpoints.ts'

/**
 * The server's list of endpoints: every export of its source that is called `…Endpoint`, or `…Endpoints` for a list of
 * them. An endpoint beside its handler needs no other registration.
 *
 * @returns {[path: string, text: string]}
 */
export function writeEndpointList() {
  const found = listFiles(source).flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /^export const (\w+Endpoints?)\b(?:: Endpoint(?:\[\])?)? = /gm,
      ),
    ].map(([, name = '']) => ({ name, file })),
  )
  const twice = found.filter(({ name }, place) => found.findIndex((other) => other.name === name) !== place)
  if (twice.length > 0) throw new Error(`Two endpoints are called ${twice.map(({ name }) => name).join(', ')}.`)
  const files = [...new Set(found.map(({ file }) => file))]
  const imports = files.map((file) => {
    const names = found.filter((each) => each.file === file).map(({ name }) => name)
    const path = file.slice(source.length + 1)
    return { path, text: `import { ${names.sort().join(', ')} } from '../../${path}'` }
  })
  imports.push({ path: 'endpoint/Endpoint.ts', text: "import type { Endpoint } from '../../endpoint/Endpoint.ts'" })
  imports.sort((a, b) => (a.path < b.path ? -1 : 1))
  const entries = found.map(({ name }) => `${name.endsWith('s') ? '...' : ''}${name},`)
  const text = `// Generated from the endpoints of packages/server/src: npm run contract
${imports.map(({ text }) => text).join('\n')}

export const endpoints: Endpoint[] = [\n${entries.join('\n')}\n]\n`
  return [target, text]
}

/** @param {string} folder @returns {string[]} */
function listFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return ['testing', 'generated'].includes(entry.name) ? [] : listFiles(path)
      return /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : []
    })
}
