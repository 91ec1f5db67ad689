import { version } from '../version.ts'

const everyCommand = `  --data FOLDER        data folder                (COUNTERSIGN_DATA, ./data)
  --config FILE        config file                (COUNTERSIGN_CONFIG, countersign.config.{ts,js,json})
`

const whichServer = `  --server URL         ask the server at this address, such as http://localhost:1337/server, instead of opening the
                       database; needs the application id and the master key of that server in the configuration
`

const general = `countersign ${version}: the sign-in, account and data server that you run yourself

  countersign start           start the server (the default)
  countersign keys            show the application id and the keys
  countersign schema apply    bring the classes to what the schema file says
  countersign schema print    write the classes as a schema file
  countersign types           write TypeScript types of the classes and functions for clients
  countersign migrate-react   move an application from react-moralis to @countersign/react/moralis

  --port N             port to listen on          (PORT, 1337)
  --host NAME          address to listen on       (HOST, 127.0.0.1; 0.0.0.0 in production)
${everyCommand}  --help, --version    also for each command: countersign schema --help

PostgreSQL instead of the embedded database: DATABASE_URL=postgresql://user:password@host:5432/database
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

const migrateReact = `countersign migrate-react [FOLDER]   move an application from react-moralis to @countersign/react/moralis

Every import of react-moralis in the folder (here, unless it is named) gets its new name, package.json its new
dependency. What needs a hand is listed with its place and a sentence. The layout of the files stays; running it again
changes nothing more.

  --dry-run            show what would be done, and do nothing
  --force              also where files have changed since the last commit, or where there is no git

See docs/migrate-react.md.
`

const usages = new Map([
  ['schema', schema],
  ['types', types],
  ['migrate-react', migrateReact],
])

/** What --help shows. */
export function usageOf(command: string): string {
  return usages.get(command) ?? general
}
