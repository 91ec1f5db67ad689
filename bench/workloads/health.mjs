import assert from 'node:assert/strict'

const request = () => ({ method: 'GET', path: '/health' })

/** @type {import('../types.d.ts').Exchange['check']} */
const check = ({ status, body }) => {
  assert.equal(status, 200, body)
  assert.equal(JSON.parse(body).status, 'ok')
}

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'health',
  order: 0,
  title: 'Constant response',
  about:
    'A constant: what a request costs before anything is done. `ceiling` is bare Fastify, `floor` bare `node:http`.',
  competitors: ['countersign', 'ceiling'],
  wires: { parse: { request, check }, ceiling: { request, check }, floor: { request, check } },
  ceiling: (app) => {
    app.get('/health', () => ({ status: 'ok' }))
  },
}
