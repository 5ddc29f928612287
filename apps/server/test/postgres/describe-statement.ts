import type pg from 'pg'

/** `tableId` and `columnId` name the table's column that is returned as it is; 0 for an expression. */
export type DescribedColumn = { name: string; typeId: number; tableId: number; columnId: number }

/** Describe a statement with placeholders without running it (the protocol's Parse and Describe). */
export const describeStatement = (client: pg.Client, text: string): Promise<readonly DescribedColumn[]> =>
  new Promise((resolve, reject) => {
    client.query(new Description(text, resolve, reject))
  })

type Connection = {
  parse(message: { text: string }): void
  describe(message: { type: 'S'; name: string }): void
  sync(): void
}
type Field = { name: string; dataTypeID: number; tableID: number; columnID: number }

/** pg's Client passes each message of the server to the active Submittable (node-postgres, "Submittable"). */
class Description implements pg.Submittable {
  readonly #text: string
  readonly #resolve: (columns: readonly DescribedColumn[]) => void
  readonly #reject: (error: Error) => void
  #columns: readonly DescribedColumn[] = []

  constructor(text: string, resolve: (columns: readonly DescribedColumn[]) => void, reject: (error: Error) => void) {
    this.#text = text
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: pg.Connection): void {
    const sending = connection as unknown as Connection
    sending.parse({ text: this.#text })
    sending.describe({ type: 'S', name: '' })
    sending.sync()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      typeId: dataTypeID,
      tableId: tableID,
      columnId: columnID,
    }))
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#columns)
  }

  handleError(error: Error): void {
    this.#reject(error)
  }
}
