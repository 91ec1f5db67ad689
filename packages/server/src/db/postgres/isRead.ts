const reads = /^\s*(select|with|values)\b/i
const writes = /\b(insert|update|delete|merge|share|into|nextval|setval|lock)\b/i

/** Whether a statement only reads, as far as its words tell. In doubt it counts as a write. */
export const isRead = (text: string): boolean => reads.test(text) && !writes.test(text)
