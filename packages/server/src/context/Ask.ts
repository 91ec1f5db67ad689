/** A request that code of the application makes in this process, with the identity in the body as its client writes it. */
export type AskRequest = {
  method: string
  /** Under the mount, with a query string where there is one. */
  path: string
  /** JSON, as it would be sent. */
  body: string
}

/** Carried out by the same handlers as a request from outside, without HTTP; joins the transaction that it is made in. */
export type Ask = (request: AskRequest) => Promise<Asked>

export type Asked =
  | { status: number; output: unknown; headers: Record<string, string> }
  | { error: { code: number; error: string } }
