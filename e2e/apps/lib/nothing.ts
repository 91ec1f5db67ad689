/** Named by one of the parts that are left out. */
export const z = {}
