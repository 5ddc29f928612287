/** The name of the service where its organisation has none. */
export const productName = 'Parley'
