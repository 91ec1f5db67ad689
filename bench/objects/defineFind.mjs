import assert from 'node:assert/strict'
import { parseHeaders } from './parseHeaders.mjs'
import { prepareCeilingObjects } from './prepareCeilingObjects.mjs'
import { prepareObjects } from './prepareObjects.mjs'

/**
 * A workload that is one query of the class `Score`.
 *
 * @param {{ name: string, order: number, title: string, about: string,
 *   ask(): Record<string, unknown>, check(answer: any): void,
 *   sql: { text: string, values(query: any): unknown[] } }} find
 * @returns {import('../types.d.ts').Workload}
 */
export function defineFind({ name, order, title, about, ask, check, sql }) {
  const path = `/find/${name}`
  const search = () => new URLSearchParams(Object.entries(ask()).map(([key, value]) => [key, encode(value)])).toString()
  return {
    name,
    order,
    title,
    about,
    competitors: ['countersign', 'parse-server', 'ceiling'],
    wires: {
      parse: {
        prepare: prepareObjects,
        request: (target, given) => ({
          method: 'GET',
          path: `${target.mount}/classes/Score?${search()}`,
          headers: parseHeaders(target, given),
        }),
        check: ({ status, body }) => {
          assert.equal(status, 200, body)
          check(JSON.parse(body))
        },
      },
      ceiling: {
        prepare: prepareCeilingObjects,
        request: (_target, { account }) => ({
          method: 'GET',
          path: `${path}?${search()}`,
          headers: { Authorization: `Bearer ${account.token}` },
        }),
        check: ({ status, body }) => {
          assert.equal(status, 200, body)
          check(JSON.parse(body))
        },
      },
    },
    ceiling: (app, { query }) => {
      app.get(path, async (request) => {
        const { where } = /** @type {{ where: string }} */ (request.query)
        const rows = await query({ name, text: sql.text, values: sql.values(JSON.parse(where)) })
        return name === 'objectCount' ? { results: [], count: Number(rows[0].count) } : { results: rows }
      })
    },
  }
}

/** @param {unknown} value */
function encode(value) {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
