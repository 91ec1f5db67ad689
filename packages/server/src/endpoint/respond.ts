const mark = Symbol('response')

/** An output with its status and headers. */
export type Responded<Output extends object = object> = ResponseParts & {
  readonly [mark]: true
  readonly output: Output
}

export type ResponseParts = {
  status?: number | undefined
  headers?: Record<string, string> | undefined
  /** JSON of the output, if known already: frequent responses are written once. */
  text?: string | undefined
}

/**
 * An output with a status or headers of its own.
 *
 * @example
 * return isNew ? respond(user, { status: 201 }) : user
 */
export function respond<Output extends object>(output: Output, parts: ResponseParts): Responded<Output> {
  // Written out: a spread would cost every request more than the rest of this.
  return { [mark]: true, output, status: parts.status, headers: parts.headers, text: parts.text }
}

/** An output that is kept as its JSON alone, which takes a fraction of the memory: read where somebody needs the object. */
export function respondWritten<Output extends object>(text: string): Responded<Output> {
  return {
    [mark]: true,
    get output(): Output {
      return JSON.parse(text)
    },
    text,
  }
}

/** Adds headers to a handler's result. */
export function addHeaders<Output extends object>(
  given: Output | Responded<Output>,
  headers: Record<string, string>,
): Responded<Output> {
  return mark in given ? Object.assign(given as Responded<Output>, { headers }) : respond(given as Output, { headers })
}

/** Normalizes a handler's result. */
export function toResponse(given: object): ResponseParts & { output: object } {
  return mark in given ? (given as Responded) : { output: given }
}
