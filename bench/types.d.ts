/** Target of the load generator. Crosses a process boundary, so plain data. */
export type Target = { port: number; mount: string; applicationId: string; databaseUrl: string }

export type Competitor = {
  name: string
  /** One line for the reader: what it is and how it is set. */
  about: string
  /** Dialect: the key of `Workload.wires`, unless that has one with its name. */
  wire: string
  /** Packages whose versions are in the results, resolved from `bench/` unless a folder is given. */
  packages: string[]
  mount: string
  /** Empty where the dialect has none. */
  applicationId: string
  readyPath: string
  /** The program and its environment; it always runs as one Node process. */
  program(place: {
    port: number
    databaseUrl: string
    dataFolder: string
    chain: { url: string; chainId: number } | undefined
  }): {
    file: string
    args?: string[]
    env: Record<string, string>
  }
}

export type Person = { username: string; email: string; password: string }
export type Account = Person & { id: string; token: string }
export type Request = { method: string; path: string; headers?: Record<string, string>; body?: unknown }
export type Answer = { status: number; headers: string; body: string }

/** Signs as a browser's wallet would; always the same browser for one key. */
export type Wallet = { address: string; installationId: string; sign(text: string): string }

/**
 * `account` is one of the seeded ones, in turn, and `turn` its place among them; `person` is somebody new; `prepared` is
 * what `prepare` gave.
 */
export type Given = { account: Account; turn: number; person: Person; prepared: unknown }

export type Send = (request: Request) => Promise<Answer>

/** One unit of work that is one request. */
export type Exchange = {
  /** The next request. */
  request(target: Target, given: Given): Request
  /** Throws if the response is wrong for this request. */
  check(answer: Answer, given: Given): void
  /** Sign-up only: the account that the response created. */
  readAccount?(answer: Answer, person: Person): Account
}

/** One unit of work that is more than one request. */
export type Sequence = {
  /** Sends them and checks their responses. Only the time that `send` takes counts as latency. */
  run(target: Target, given: Given, send: Send): Promise<void>
}

export type Wire = (Exchange | Sequence) & {
  /** Makes the data that the workload reads, once for each competitor before its first round. */
  prepare?(target: Target, tools: { accounts: Account[]; send: Send }): Promise<unknown>
}

export type Workload = {
  name: string
  order: number
  title: string
  about: string
  /** Password work of one request, if any: it dominates and is shown separately. */
  password?: 'hash' | 'verify'
  /** Competitors that run it; all with a matching wire when absent. */
  competitors?: string[]
  /** Set if the workload needs a chain for the competitors to index. */
  needsChain?: boolean
  /** Counted unit, if not the single request. */
  unit?: string
  /** By dialect, or by competitor where two of one dialect differ. */
  wires: Record<string, Wire>
  /** Routes that the bare ceiling needs for it. */
  ceiling?(app: import('fastify').FastifyInstance, tools: CeilingTools): void | Promise<void>
  /** Replaces the closed HTTP loop, for workloads that are not request and response (sockets). */
  drive?(task: RoundTask): Promise<Measured>
}

export type CeilingTools = {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<Record<string, string>[]>
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

export type RoundTask = {
  workload: Workload
  competitor: { name: string; wire: string; target: Target; pid: number }
  postmasterPid: number
  accounts: Account[]
  prepared: unknown
  nextPerson(): Person
  connections: number
  warmUp: { seconds: number; requests: number; maxSeconds: number }
  seconds: number
  /** Maximum duration if a slow competitor gave too few responses. */
  maxSeconds: number
}

/** One round. Latencies in milliseconds, CPU in microseconds a request. */
export type Measured = {
  requests: number
  rps: number
  p50: number
  p99: number
  cpuUs: number
  loopCpuUs: number
  dbCpuUs: number
  rssMb: number
  /** Live queries: server CPU of one write without subscribers, which is only partly in `cpuUs`. */
  writeCpuUs?: number
}

export type Figures = Omit<Measured, 'requests'> & {
  /** Difference between the dearest and the cheapest round, in percent of the median of `cpuUs`. */
  spread: number
  /** Kilobytes allocated on the server's heap for a request. */
  allocatedKb: number
}
