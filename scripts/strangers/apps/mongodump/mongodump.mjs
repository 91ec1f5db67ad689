#!/usr/bin/env node
// mongodump --uri FILE --out FOLDER. There is no MongoDB here: FILE is extended JSON with the documents of each
// collection. What is written has the form of mongodump: BSON documents one behind the other, and the indexes beside them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EJSON, serialize } from 'bson'

const { values } = parseArgs({
  options: { uri: { type: 'string', default: '' }, out: { type: 'string', default: 'dump' } },
})
const folder = join(values.out, 'app')
mkdirSync(folder, { recursive: true })
for (const [name, documents] of Object.entries(EJSON.parse(readFileSync(values.uri, 'utf8'), { relaxed: true }))) {
  const file = join(folder, encodeURIComponent(name))
  writeFileSync(`${file}.bson`, Buffer.concat(documents.map((document) => serialize(document))))
  writeFileSync(`${file}.metadata.json`, JSON.stringify({ indexes: [{ v: 2, key: { _id: 1 }, name: '_id_' }] }))
}
