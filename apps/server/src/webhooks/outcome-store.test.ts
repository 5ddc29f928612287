import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, standUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'

test('an attempt that loses a deadlock with the switching off of its webhook is recorded again', async () => {
  const app = await startApp({ emails: 'dropped', environment: loopbackReceivers })
  const alice = await signUp(app, 'Alice')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, alice, receiver)
  await alice.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants: [] }))
  // PostgreSQL chooses which of the two loses, so this database reports the deadlock itself: the first time.
  await app.pool.query(`create sequence attempts;
    create function lose_once() returns trigger language plpgsql as $$ begin
      if nextval('attempts') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger lose_once before insert on webhook_attempt for each row execute function lose_once()`)

  await deliverDue(app)
  const { rows } = await app.pool.query('select last_value::integer as tried from attempts')
  assert.deepEqual(rows, [{ tried: 2 }])
  assert.equal(receiver.taken.length, 1, 'the event is not sent again')
  assert.deepEqual(await statesOf(app, id), ['delivered'])
  const attempts = await app.database.selectFrom('webhookAttempt').select(['number', 'status']).execute()
  assert.deepEqual(attempts, [{ number: 1, status: 204 }])
})
