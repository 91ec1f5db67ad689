import type { FindInput } from '@countersign/protocol'

type Asked = FindInput & { readonly className: string; readonly objectId?: string }

const kinds = ['find', 'pages', 'live', 'count', 'get']

/** The query of a question about documents, and how it is asked. */
export function readQuestion(asked: object): { readonly kind: string; readonly query?: Asked } {
  const [kind = '', query] = Object.entries(asked)[0] ?? []
  return kinds.includes(kind) ? { kind, query: query as Asked } : { kind }
}
