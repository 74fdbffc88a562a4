(* tell_apart t: whether t is accepted as a proof of its own statement T, and of one that says more than T: a strict
   inequality, a larger left-hand side, or the negation; under all binders. *)
Ltac under_binders T at_end :=
  lazymatch T with
  | forall x : ?A, @?B x =>
      let y := fresh "y" in
      constr:(forall y : A, ltac:(let b := eval cbv beta in (B y) in
                                  let s := under_binders b at_end in exact s))
  | ?P => at_end P
  end.
Ltac itself P := constr:(P).
Ltac more P :=
  lazymatch P with
  | ?P /\ ?Q => let s := more Q in constr:(P /\ s)
  | (?a <= ?b)%R => constr:((a < b)%R)
  | (?a >= ?b)%R => constr:((a > b)%R)
  | (?a < ?b)%R => constr:((a + 1 < b)%R)
  | @eq R ?a ?b => constr:((a < b)%R)
  | ?P => constr:(~ P)
  end.
Ltac answer t T := tryif (let checked := constr:(t : T) in idtac) then idtac "accepted" else idtac "rejected".
Ltac tell_apart t :=
  let T := type of t in
  let s := under_binders T itself in let m := under_binders T more in (answer t s; answer t m).
