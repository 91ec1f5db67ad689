// node toMongo.mjs: the database as this server would keep it in MongoDB, by its own code, as extended JSON. There is no
// MongoDB here, so the server itself runs on PostgreSQL.
import { EJSON } from 'bson'
import MongoSchema from 'parse-server/lib/Adapters/Storage/Mongo/MongoSchemaCollection.js'
import { parseObjectToMongoObjectForCreate } from 'parse-server/lib/Adapters/Storage/Mongo/MongoTransform.js'
import Postgres from 'parse-server/lib/Adapters/Storage/Postgres/PostgresStorageAdapter.js'

const adapter = new Postgres.default({ uri: process.env.OLD_DATABASE, collectionPrefix: '', databaseOptions: {} })
const classes = await adapter.getAllClasses()
const types = MongoSchema.default
const collections = {
  _SCHEMA: classes.map(({ className, fields, classLevelPermissions }) => ({
    _id: className,
    ...Object.fromEntries(
      Object.entries(fields).map(([name, type]) => [name, types.parseFieldTypeToMongoFieldType(type)]),
    ),
    _metadata: { class_permissions: classLevelPermissions },
  })),
}
for (const schema of classes) {
  const rows = await adapter.find(schema.className, schema, {}, {})
  collections[schema.className] = rows.map((row) => parseObjectToMongoObjectForCreate(schema.className, row, schema))
  for (const [field, { type }] of Object.entries(schema.fields)) {
    if (type !== 'Relation') continue
    const name = `_Join:${field}:${schema.className}`
    const join = { fields: { relatedId: { type: 'String' }, owningId: { type: 'String' } } }
    collections[name] = await adapter.find(name, join, {}, {}).catch(() => [])
  }
}
console.log(EJSON.stringify(collections, { relaxed: false }))
process.exit()
