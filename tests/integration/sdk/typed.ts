// Compiled in CI against the assembled package: what a reader of the types may write, and what they may not.
import { type Action, type Event, fold, Refusal, Rest, sit, type TableView, type View } from "@quezhuo/client";
import type { Frame } from "@quezhuo/client/protocol";

const rest = new Rest({ origin: "http://127.0.0.1:8000" });
const table = sit(rest, "room", {
  events(events, before) {
    const view: View | null = events.reduce<View | null>((seen, event) => fold(seen, event), before);
    if (view?.ended) console.log(view.ended.outcome, view.points.at(0));
  },
});

export function thrown(event: Event): string | null {
  return event.type === "tile_discarded" ? event.tile : null;
}

export function told(frame: Frame): TableView | null {
  return frame.kind === "sync" ? frame.data.view : null;
}

export async function choose(): Promise<void> {
  const action: Action | undefined = table.decision?.options[0];
  // @ts-expect-error an action is an object, no verb alone
  await table.act("discard").catch((error: unknown) => error instanceof Refusal && console.log(error.code));
  if (action) await table.act(action);
}
