import { ConfigError } from '../config/ConfigError.ts'
import { version } from '../version.ts'
import { type Arguments, readArguments } from './readArguments.ts'

const everyCommand = `  --data FOLDER        data folder                (COUNTERSIGN_DATA, ./data)
  --config FILE        config file                (COUNTERSIGN_CONFIG, countersign.config.{ts,js,json})
`

const whichServer = `  --server URL         ask the server at this address, such as http://localhost:1337/server, instead of opening the
                       database; needs the application id and the master key of that server in the configuration
`

const general = `countersign ${version}: the sign-in, account and data server that you run yourself

  countersign start           start the server (the default)
  countersign keys            show the application id and the keys; keys rotate makes new ones
  countersign admin           make operators, who may use the console at /admin
  countersign doctor          examine the installation and say how to fix what is wrong
  countersign audit verify    prove that no entry of the audit log was changed or removed
  countersign audit export    write the audit log as lines of JSON
  countersign schema apply    bring the classes to what the schema file says
  countersign schema print    write the classes as a schema file
  countersign types           write TypeScript types of the classes and functions for clients
  countersign sync            list, add, remove or replay events of contracts that become objects
  countersign import          bring the data of a Parse or Moralis server over, or a CSV or JSON file
  countersign export          write the classes as JSON files
  countersign backup          write the whole installation into one file, beside a running server too
  countersign restore         bring a backup back, into an empty place
  countersign move            take an embedded installation to PostgreSQL
  countersign migrate-react   move an application from react-moralis to @countersign/moralis

  --port N             port to listen on          (PORT, 1337)
  --host NAME          address to listen on       (HOST, 127.0.0.1; 0.0.0.0 in production)
${everyCommand}  --help, --version    also as countersign help and countersign version; of one command: countersign help schema

PostgreSQL instead of the embedded database: DATABASE_URL=postgresql://user:password@host:5432/database
`

const doctor = `countersign doctor   examine the installation: settings, Node.js, data folder, database, public address with its
                     certificate, proxy, cookie, CORS and sockets, mail, nodes of chains, storage of files

Each finding says what it means and how to fix it. Nothing is made or changed, nothing is asked but what the
configuration names, and no secret is shown. Run it where the server runs, with the same settings.

  --json               the findings as JSON
  --mail ADDRESS       also send a test mail to this address
${everyCommand}
It ends with 1 where there is a fault, otherwise with 0. It works beside a running server. See docs/monitoring.md.
`

const keys = `countersign keys          show the application id and the keys
countersign keys rotate   make a new secret and master key, and encrypt again what the database holds
countersign keys retire   make the former ones void

After rotate the former keys hold beside the new ones, so nothing stops: sessions stay, and programs can be given the new
master key one by one. On PostgreSQL servers may run, all of this version; the embedded database must not be in use.
Interrupted, it goes on when it is started again. Keys that the configuration names are changed there.

${everyCommand}
See docs/keys.md.
`

const admin = `countersign admin create --username NAME   make an account that may use the console
countersign admin grant USER               let an account use it that is there, by its id or name
countersign admin remove USER              take the console from it
countersign admin list                     who may use it
countersign admin link                     a link that makes the first person who opens it an operator, for 24 hours

create asks for the password on a terminal; otherwise, or where none is entered, it makes one and shows it once. A name
that is taken is refused.

  --role ROLE          admin (everything, the default), support (users and sessions) or viewer (reads)
  --email ADDRESS      of the account that create makes
${whichServer}${everyCommand}
It works beside a running server. See docs/console.md.
`

const audit = `countersign audit verify   follow the chain of the audit log and say where it is broken
countersign audit export   write the audit log, newest first, one JSON object a line

  --anchor TEXT        what verify printed before: proves that nothing up to there was changed or removed since
  --out FILE           where export writes to, a new file; without it to the output
${everyCommand}
verify ends with 1 where the log is broken. Both work beside a running server. See docs/audit-log.md.
`

const schema = `countersign schema apply [FILE]   bring the classes to what the file says, all of it or nothing
countersign schema print          write the classes as such a file

FILE is countersign.schema.ts (or .js, .json) unless it is named. It exports defineSchema({ … }) of every class of the
application. A class or field that it does not name is dropped; permissions and indexes that it leaves out stay.

  --dry-run            show what would be done, and do nothing
  --allow-drops        allow steps that lose data; without it such a plan is refused as a whole
  --out FILE           where print writes to; without it to the output
${whichServer}${everyCommand}
It works beside a running server. See docs/schema.md.
`

const types = `countersign types   write TypeScript types of the classes and of the functions in the cloud folder, by which
                    @countersign/react knows the fields of queries and what functions take and answer

  --out FILE           where to write to, such as src/countersign.d.ts; without it to the output
${whichServer}${everyCommand}
It works beside a running server. Run it again after the schema or a function has changed. See docs/schema.md and
docs/functions.md.
`

const sync = `countersign sync list                 events of contracts that become objects of classes, and how far each is read
countersign sync add FILE             keep the events that the file describes: JSON, one or a list, each with its chain
countersign sync remove CHAIN NAME    follow one no longer; its rows stay
countersign sync replay CHAIN NAME    remove the rows of one and read all of them again

  --json               the list as JSON
${whichServer}${everyCommand}
The server must run. See docs/contract-events.md.
`

const migrateReact = `countersign migrate-react [FOLDER]   move an application from react-moralis to @countersign/moralis

Every import of react-moralis in the folder (here, unless it is named) gets its new name, package.json its new
dependency. Names that moved from @countersign/react to one of its entries are imported from there. What needs a hand is
listed with its place and a sentence. The layout of the files stays; running it again changes nothing more.

  --dry-run            show what would be done, and do nothing
  --force              also where files have changed since the last commit, or where there is no git

See docs/migrate-react.md.
`

const importing = `countersign import parse-export DIR   a JSON export: one file a class
countersign import mongo DIR          a folder of mongodump
countersign import server             a running Parse server, over its API
countersign import csv FILE           a table, as objects of one class
countersign import json FILE          a list of objects of one class

Ids, times, access lists, permissions of classes, roles, relations, pointers, files, passwords and wallets are kept. An
import that was interrupted goes on where it was when it is started again; nothing is doubled. Hooks do not run, and live
queries and webhooks hear nothing. The embedded database must not be in use by a server meanwhile.

  --dry-run            read everything, show what would come over, and write nothing
  --restart            read from the beginning, whatever an earlier run has done; what is there stays
  --report FILE        write the report as JSON, too
  --files DIR          where the content of files lies; of a parse-export: DIR/files
  --files-url URL      the address before the names of files, where objects hold names alone
  --keep-files         leave files where they are, with the addresses that they have
  --no-sessions        leave sessions out: everyone signs in again
  --proven-wallets     take only wallets that the older server saw a signature of (authData, _EthAddress, _SolAddress)
  --url URL, --app-id ID, --master-key KEY   of the server to import from (COUNTERSIGN_SOURCE_MASTER_KEY)
  --class NAME         of a CSV or JSON file: the class
  --types LIST         of a CSV or JSON file: types that are not to be guessed, such as age=Number,owner=Pointer<_User>
${everyCommand}
See docs/import.md.
`

const exporting = `countersign export DIR   write the classes as JSON, one file each, and the files

The form is the one that countersign import parse-export reads. All of it is as it was at one moment. Hashes of passwords
are part of it: keep it as you keep a backup. Sessions are not.

  --class LIST         these classes alone, with commas between, and no files
${everyCommand}
See docs/import.md.
`

const backingUp = `countersign backup [FILE]                write the whole installation into one file
countersign backup [FOLDER] --every 24   again and again, every so many hours
countersign restore FILE                 bring a backup back, into an empty database or data folder
countersign move --to postgresql://…     take an embedded installation to PostgreSQL, with keys and files

A backup holds database, files, keys and settings as they are at one moment, while the server goes on. A restore is all or
nothing: counts and checksums are compared before it ends. The server can make backups by itself: the setting backup.

  --passphrase-file FILE   encrypts, or decrypts, with the passphrase in this file (COUNTERSIGN_BACKUP_PASSPHRASE)
  --every HOURS, --keep N  how often, and how many of those are kept (7)
  --hold-writes            writes wait until the backup is whole: nothing acknowledged before its end is missing
  --to URL                 of an empty PostgreSQL database; the server must be stopped
${everyCommand}
See docs/backups.md.
`

const usages = new Map([
  ['export', exporting],
  ['backup', backingUp],
  ['restore', backingUp],
  ['move', backingUp],
  ['keys', keys],
  ['doctor', doctor],
  ['audit', audit],
  ['admin', admin],
  ['import', importing],
  ['schema', schema],
  ['types', types],
  ['sync', sync],
  ['migrate-react', migrateReact],
])

/** Text of --help. */
export function usageOf(command: string): string {
  return usages.get(command) ?? general
}

/** Loaded on demand, so that help and wrong arguments are fast. */
const commands = new Map([
  ['start', async () => (await import('./runStart.ts')).runStart],
  ['keys', async () => (await import('./runKeys.ts')).runKeys],
  ['doctor', async () => (await import('./runDoctor.ts')).runDoctor],
  ['admin', async () => (await import('./runAdmin.ts')).runAdmin],
  ['audit', async () => (await import('./runAudit.ts')).runAudit],
  ['schema', async () => (await import('./runSchema.ts')).runSchema],
  ['migrate-react', async () => (await import('./runMigrateReact.ts')).runMigrateReact],
  ['export', async () => (await import('./runExport.ts')).runExport],
  ['backup', async () => (await import('./runBackup.ts')).runBackup],
  ['restore', async () => (await import('./runBackup.ts')).runRestore],
  ['move', async () => (await import('./runBackup.ts')).runMove],
  ['import', async () => (await import('./runImport.ts')).runImport],
  ['sync', async () => (await import('./runSync.ts')).runSync],
  ['types', async () => (await import('./runTypes.ts')).runTypes],
])

/** `countersign help schema` is `countersign schema --help`. */
function helpOn({ command, words }: Arguments): string {
  const [about = 'start'] = command === 'help' ? words : [command]
  if (!commands.has(about)) throw new ConfigError(`There is no command "${about}". See countersign help.`)
  return about
}

try {
  const given = readArguments(process.argv.slice(2))
  if (given.help || given.command === 'help') process.stdout.write(usageOf(helpOn(given)))
  else if (given.showVersion || given.command === 'version') process.stdout.write(`${version}\n`)
  else {
    const load = commands.get(given.command)
    if (!load) throw new ConfigError(`There is no command "${given.command}". See countersign --help.`)
    const run = await load()
    await run(given)
  }
} catch (error) {
  // Our own errors contain the fix; any other needs its stack.
  const known = error instanceof Error && error.name !== 'Error' && !(error instanceof TypeError)
  process.stderr.write(`\n${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n\n`)
  process.exit(1)
}
