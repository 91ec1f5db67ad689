import assert from 'node:assert/strict'
import { driveFanOut, subscribers } from '../live/driveFanOut.mjs'
import { newLive } from '../live/newLive.mjs'
import { serveBareSockets } from '../live/serveBareSockets.mjs'
import { parseHeaders } from '../objects/parseHeaders.mjs'
import { prepareCeilingObjects } from '../objects/prepareCeilingObjects.mjs'

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'liveFanOut',
  order: 20,
  title: 'Live query fan-out',
  about: `An object is written, and ${subscribers} signed-in subscribers of one query hear of it: the write, its recording and matching are in the figure by their share.`,
  unit: 'event',
  competitors: ['countersign', 'parse-server', 'ceiling'],
  drive: driveFanOut,
  wires: {
    parse: {
      async prepare({ mount, applicationId }, { send }) {
        const [number, text] = [{ type: 'Number' }, { type: 'String' }]
        const { status, body } = await send({
          method: 'POST',
          path: `${mount}/schemas/Live`,
          headers: {
            'X-Parse-Application-Id': applicationId,
            'X-Parse-Master-Key': 'bench-master-key-never-used-elsewhere',
          },
          body: {
            className: 'Live',
            fields: {
              player: text,
              points: number,
              room: number,
              cheated: { type: 'Boolean' },
              tags: { type: 'Array' },
              text,
            },
          },
        })
        if (status !== 200) throw new Error(`no class Live: ${body}`)
      },
      request: (target, given) => ({
        method: 'POST',
        path: `${target.mount}/classes/Live`,
        headers: parseHeaders(target, given),
        body: newLive(given.account, given.turn, Number(given.prepared)),
      }),
      check: ({ status, body }) => assert.equal(status, 201, body),
    },
    ceiling: {
      prepare: prepareCeilingObjects,
      request: (_target, { account, turn, prepared }) => ({
        method: 'POST',
        path: '/live',
        body: newLive(account, turn, Number(prepared)),
      }),
      check: ({ status, body }) => assert.equal(status, 201, body),
    },
  },
  ceiling: serveBareSockets,
}
