import { version } from '../version.ts'

const everyCommand = `  --data FOLDER        data folder                (COUNTERSIGN_DATA, ./data)
  --config FILE        config file                (COUNTERSIGN_CONFIG, countersign.config.{ts,js,json})
`

const whichServer = `  --server URL         use the API at this URL, such as http://localhost:1337/server, instead of opening the database;
                       the configuration must have the application id and the master key of that server
`

const general = `countersign ${version}: self-hosted sign-in, account and data server

  countersign start           start the server (the default)
  countersign keys            show the application id and the keys; keys rotate creates new ones
  countersign admin           manage operators: accounts that can use the console at /admin
  countersign access          keys with scopes, for scripts and service accounts
  countersign service         accounts of programs, with their own name in access lists
  countersign client          applications that sign people in with their account here (OpenID Connect)
  countersign doctor          check the installation and explain how to fix problems
  countersign attack URL      attack your own server, and report what it does not withstand
  countersign audit verify    check that no entry of the audit log was changed or removed
  countersign audit export    write the audit log as JSON lines
  countersign schema apply    apply the schema file to the database
  countersign schema print    write the classes as a schema file
  countersign schema partition   divide the tables of large classes as the configuration says
  countersign schema distribute  spread very large classes over the workers of a Citus cluster
  countersign types           write TypeScript types of classes and functions for clients
  countersign sync            list, add, remove or replay event syncs, which store contract events as objects
  countersign import          import data from a Parse or Moralis server, or from a CSV or JSON file
  countersign export          write the classes as JSON files
  countersign backup          write the whole installation to one file, also while the server is running
  countersign restore         restore a backup into an empty database or data folder
  countersign move            move an embedded installation to PostgreSQL
  countersign migrate-react   move an application from react-moralis to @countersign/moralis

  --port N             port to listen on          (PORT, 1337)
  --host NAME          address to listen on       (HOST, 127.0.0.1; 0.0.0.0 in production)
  --workers N          processes, or auto         (COUNTERSIGN_WORKERS, 1)
${everyCommand}  --help, --version    also countersign help and countersign version; for one command: countersign help schema

PostgreSQL instead of the embedded database: DATABASE_URL=postgresql://user:password@host:5432/database
`

const doctor = `countersign doctor   check the installation: settings, Node.js, data folder, database, public address with its
                     certificate, proxy, cookie, CORS and sockets, mail, chain nodes, file storage

Each finding says what it means and how to fix it. The doctor changes nothing, connects only to hosts in the
configuration, and shows no secrets. Run it on the server's machine, with the same settings.

  --json               the findings as JSON
  --mail ADDRESS       also send a test mail to this address
${everyCommand}
The exit code is 1 if there is a fault, else 0. Safe to run while the server is running. See docs/monitoring.md.
`

const keys = `countersign keys          show the application id and the keys
countersign keys rotate   create a new secret and master key, and encrypt the stored secrets again
countersign keys retire   revoke the previous keys
countersign keys push     create keys for Web Push; they are printed and stored nowhere

After rotate, the previous keys still work, so nothing stops: sessions stay valid, and you can update programs to the new
master key one by one. On PostgreSQL, servers can keep running if all have this version. Stop the server first if it uses
the embedded database. If a rotation is interrupted, run it again to continue. Change keys that are set in the
configuration there.

${everyCommand}
See docs/keys.md.
`

const admin = `countersign admin create --username NAME   create an account that can use the console
countersign admin grant USER               give an existing account (id or username) access to the console
countersign admin remove USER              remove an account's access
countersign admin list                     list operators
countersign admin link                     print a link: the first person who opens it within 24 hours becomes an operator

On a terminal, create asks for the password. If you enter none, it generates one and shows it once. A username that is
taken is refused.

  --role ROLE          admin (everything, the default), support (users and sessions) or viewer (reads)
  --email ADDRESS      email address of the account that create makes
${whichServer}${everyCommand}
Safe to run while the server is running. See docs/console.md.
`

const access = `countersign access list              list keys of operators and of service accounts
countersign access create NAME       create a key; it is printed once
countersign access rotate ID         create a key that replaces this one; both are valid for a day
countersign access revoke ID         revoke a key on all servers at once
countersign access scopes            list scopes

A key of a service account acts under its name; any other acts in place of the master key, within its scopes.

  --scopes LIST        what the key may do, such as "users:read backup" or "Score:read Score:write"
  --service NAME       service account of the key; for list: only its keys
  --addresses LIST     IP addresses and networks that may use the key; the default is all
  --expires DAYS       the default is never
  --overlap HOURS      how long rotate keeps the former key valid (24)
  --json               the list as JSON
${whichServer}${everyCommand}
Safe to run while the server is running. See docs/access-tokens.md.
`

const service = `countersign service list             list service accounts
countersign service create NAME      create one: service:NAME in access lists and class permissions
countersign service roles NAME       set its roles
countersign service delete NAME      delete it and revoke its keys

Create its keys with countersign access create KEY --service NAME --scopes LIST.

  --roles LIST         names of roles, separated by commas
  --json               the list as JSON
${whichServer}${everyCommand}
Safe to run while the server is running. See docs/access-tokens.md.
`

const client = `countersign client list              list clients of the OpenID provider
countersign client create NAME       create one; its secret is printed once
countersign client update ID         change what the options name
countersign client renew ID          create a new secret; the former one stops working
countersign client delete ID         delete a client and all access that people gave it

  --public             for create: a page, native app or terminal, which can keep no secret
  --name NAME          new name for update
  --redirect LIST      full redirect addresses, compared exactly
  --after-sign-out LIST      addresses to return to after signing out
  --backchannel-logout URL   address that is called when a person signs out
  --website URL        shown to people
  --device on|off      the device flow, for terminals and televisions
  --trusted on|off     an application of your own: people are not asked for consent
  --pairwise on|off    ids of people that other clients do not know
  --json               the list as JSON
${whichServer}${everyCommand}
Safe to run while the server is running. See docs/openid-provider.md.
`

const attack = `countersign attack URL   attack your own server as strangers would: sign-in, sessions, access lists, queries, files,
                         live queries and every endpoint, with accounts that it creates and removes

URL is on this machine, such as http://localhost:1337. For another host, set attackTokenFile on that server, and give
--i-own-this and --token-file; nothing is sent before the server has proven that it has the same token. Redirects are
not followed. With the master key it runs more cases and removes everything that it made; without it, it lists what
remains. Run it on a copy of your installation, not on a busy server.

  --only LIST              classes of attacks, separated by commas
  --list                   list the classes
  --report FILE            also write the report as JSON
  --sarif FILE             also write the findings as SARIF 2.1.0
  --i-own-this             the server is yours, although it is not on this machine
  --token-file FILE        the token in attackTokenFile of that server: at least 32 characters
  --master-key-file FILE   master key of the server (COUNTERSIGN_MASTER_KEY)

The exit code is 0 without findings, 1 with findings, 2 if the attack could not run. See docs/monitoring.md.
`

const audit = `countersign audit verify   check the hash chain of the audit log and show where it is broken
countersign audit export   write the audit log, newest first, one JSON object per line

  --anchor TEXT        anchor that verify printed before: checks that nothing up to it was changed or removed
  --out FILE           new file for export; the default is standard output
${everyCommand}
The exit code of verify is 1 if the log is broken. Both are safe to run while the server is running. See
docs/audit-log.md.
`

const schema = `countersign schema apply [FILE]       apply the file to the database in one transaction
countersign schema print              write the classes as a schema file
countersign schema partition [CLASS]  divide the tables of large classes as the setting partition says
countersign schema distribute [CLASS] spread classes over the workers of a Citus cluster as the setting distribute says

FILE is countersign.schema.ts (or .js, .json) by default. It exports defineSchema({ … }) with every class of the
application. Classes and fields that are not in it are dropped; permissions and indexes that are not in it stay.

partition and distribute copy each table in batches while servers run, and replace it under a short lock. If one is
interrupted, run it again: it continues. They need a PostgreSQL server and disk space for a second copy of the table;
distribute also needs the extension Citus with at least one worker.

  --dry-run            print the plan without applying it
  --allow-drops        allow steps that delete data; without it, a plan with such a step is refused
  --out FILE           file for print; the default is standard output
${whichServer}${everyCommand}
Safe to run while the server is running. See docs/schema.md, and docs/large-classes.md for partition and distribute.
`

const types = `countersign types   write TypeScript types of the classes and of the functions in the cloud folder. With them,
                    @countersign/react knows the fields of classes and the input and output of functions

  --out FILE           file to write, such as src/countersign.d.ts; the default is standard output
${whichServer}${everyCommand}
Safe to run while the server is running. Run it again after you change the schema or a function. See
docs/schema.md and docs/functions.md.
`

const sync = `countersign sync list                 list event syncs, which store contract events as objects, and their progress
countersign sync add FILE             add the event syncs in a JSON file: one or a list, each with its chain
countersign sync remove CHAIN NAME    stop a sync and keep its rows
countersign sync replay CHAIN NAME    delete the rows of a sync and read its events again

  --json               the list as JSON
${whichServer}${everyCommand}
The server must be running. See docs/contract-events.md.
`

const migrateReact = `countersign migrate-react [FOLDER]   move an application from react-moralis to @countersign/moralis

Replaces react-moralis in every import of the folder (the current one by default) and in package.json. Names that moved
from @countersign/react to one of its entries are imported from there. Places that you must change yourself are listed
with advice. File formatting is kept; a second run changes nothing.

  --dry-run            print the plan without applying it
  --force              run even if files have changed since the last commit, or without git

See docs/migrate-react.md.
`

const importing = `countersign import parse-export DIR   a JSON export: one file per class
countersign import mongo DIR          a mongodump folder
countersign import server             a running Parse server, over its API
countersign import csv FILE           a table, imported as objects of one class
countersign import json FILE          a list of objects of one class

Ids, times, access lists, class permissions, roles, relations, pointers, files, passwords and wallets are kept. If an
import is interrupted, run it again to continue; nothing is imported twice. Hooks do not run, and live queries and
webhooks get no events. Stop the server first if it uses the embedded database.

  --dry-run            read everything and show what would be imported, but write nothing
  --restart            start from the beginning instead of continuing an earlier run; existing objects stay
  --report FILE        also write the report as JSON
  --files DIR          folder with the file contents; the default for parse-export is DIR/files
  --files-url URL      base URL of files, if objects contain only their names
  --keep-files         do not copy files; keep their current URLs
  --no-sessions        do not import sessions: everyone must sign in again
  --proven-wallets     import only wallets with a signature on the old server (authData, _EthAddress, _SolAddress)
  --url URL, --app-id ID, --master-key KEY   of the server to import from (COUNTERSIGN_SOURCE_MASTER_KEY)
  --class NAME         class of a CSV or JSON file
  --types LIST         types of fields in a CSV or JSON file, such as age=Number,owner=Pointer<_User>
${everyCommand}
See docs/import.md.
`

const exporting = `countersign export DIR   write each class to a JSON file, and the files

The format is the one that countersign import parse-export reads. The export is a snapshot of one moment. It contains
password hashes, so protect it like a backup. It contains no sessions.

  --class LIST         only these classes, separated by commas, and no files
${everyCommand}
See docs/import.md.
`

const backingUp = `countersign backup [FILE]                write the whole installation to one file
countersign backup [FOLDER] --every 24   make a backup every 24 hours
countersign restore FILE                 restore a backup into an empty database or data folder
countersign move --to postgresql://…     move an embedded installation to PostgreSQL, with keys and files

A backup is a snapshot of database, files, keys and settings; the server can keep running. A restore is all or nothing:
counts and checksums are compared before it ends. For automatic backups by the server, use the setting backup.

  --passphrase-file FILE   encrypt or decrypt with the passphrase in this file (COUNTERSIGN_BACKUP_PASSPHRASE)
  --every HOURS, --keep N  interval, and number of backups to keep (7)
  --hold-writes            pause writes until the backup is complete, so that it includes every acknowledged write
  --to URL                 URL of an empty PostgreSQL database; stop the server first
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
  ['attack', attack],
  ['audit', audit],
  ['admin', admin],
  ['access', access],
  ['service', service],
  ['client', client],
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
