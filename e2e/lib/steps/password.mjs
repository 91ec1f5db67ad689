/** The password of every account that the tests make. */
export const password = 'correct horse battery'
