import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../steps/root.mjs'

const load = (/** @type {string} */ path) => import(pathToFileURL(join(root, 'packages', path)).href)

/** Every endpoint by its name, those of one resource together. */
export async function describeEndpoints() {
  const { contract } = await load('protocol/dist/contract/index.js')
  /** @type {Map<string, string[]>} */
  const resources = new Map()
  for (const name of Object.keys(contract)) {
    const resource = contract[name].path.split('/')[1] || ''
    resources.set(resource, [...(resources.get(resource) ?? []), name])
  }
  const parts = [...resources]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([resource, names]) => {
      const described = names.map((name) => describeEndpoint(name, contract[name]))
      return `## Under /${resource}\n\n${described.join('\n\n')}`
    })
  const text = `# Endpoints\n\nLook up each endpoint by its name. Paths include the default [\`mount\`](../configuration.md#mount), \`/server\`. See the [HTTP API](../http-api.md) for examples and [errors](../errors.md) for reasons. \`/server/openapi.json\` also has the types of responses.\n\n${parts.join('\n\n')}`
  return { path: 'reference/endpoints', title: 'Endpoints', text }
}

const callers = /** @type {Record<string, string>} */ ({
  user: 'Needs a session.',
  master: 'Needs the master key.',
  operator: 'Needs an operator of the console, or the master key.',
})

/**
 * @param {string} name
 * @param {{ method: string, path: string, summary?: string, access?: string, operators?: string[], session?: string,
 *   reasons?: string[], input?: Schema, params?: Schema }} endpoint
 */
function describeEndpoint(name, { method, path, summary, access, operators, session, reasons = [], input, params }) {
  const refusals = reasons.map((reason) => `[\`${reason}\`](../errors.md#${reason})`)
  const tolerated = session === 'tolerated' ? 'Needs no session; an invalid one is ignored.' : ''
  const roles = operators ? ` Roles: ${operators.join(', ')}.` : ''
  const caller = callers[access ?? ''] ? `${callers[access ?? '']}${roles}` : tolerated
  const fields = [params, input].flatMap((schema) => (schema ? listFields(schema) : []))
  return [
    `### ${name}`,
    summary ?? '',
    `\`\`\`http\n${method} /server${path}\n\`\`\``,
    caller,
    fields.length > 0 ? `| field | | |\n| --- | --- | --- |\n${fields.join('\n')}` : '',
    refusals.length > 0 ? `Errors: ${refusals.join(', ')}.` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** @typedef {{ toJSONSchema: (options: object) => object }} Schema of Zod */
/** @typedef {{ type?: string | string[], description?: string, enum?: unknown[], const?: unknown, maxLength?: number, items?: Json, anyOf?: Json[], oneOf?: Json[], properties?: Record<string, Json>, required?: string[] }} Json */

/** @param {Schema} schema */
function listFields(schema) {
  const { properties = {}, required = [] } = /** @type {Json} */ (
    schema.toJSONSchema({ io: 'input', unrepresentable: 'any' })
  )
  return Object.entries(properties).map(([field, json]) => {
    const most = json.maxLength ? `, at most ${json.maxLength.toLocaleString('en')} characters` : ''
    const need = required.includes(field) ? 'required' : ''
    return `| **${field}** | ${describeType(json).replaceAll('|', '\\|')}${most} | ${[need, json.description ?? ''].filter(Boolean).join('; ').replaceAll('|', '\\|')} |`
  })
}

/** @param {Json} json @returns {string} */
function describeType(json) {
  const several = json.anyOf ?? json.oneOf
  if (several) return [...new Set(several.map(describeType))].join(' or ')
  if (json.const !== undefined) return `\`${JSON.stringify(json.const)}\``
  if (json.enum) return json.enum.map((value) => `\`${value}\``).join(', ')
  if (json.type === 'array') return `list of ${json.items ? describeType(json.items) : 'anything'}`
  return Array.isArray(json.type) ? json.type.join(' or ') : (json.type ?? 'anything')
}
