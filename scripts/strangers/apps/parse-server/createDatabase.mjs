// node createDatabase.mjs NAME: another database beside that of the old server.
import pg from 'pg-promise'

const database = pg()(process.env.OLD_DATABASE)
await database.none('create database $1:name', [process.argv[2]])
await database.$pool.end()
