(** * Theorem G in the paper's form: the rates of lem:FedAvg_complete and lem:SCAFFOLD_complete

    [fedavg_average] and [scaffold_average] (LocalConvergence.v) bound the gap of the average point by
    (mu/2) P q^R/(1 - q^R) + c1 h + c2 h^2, q = 1 - mu h/2, for every step h <= hmax.  Main results: [paper_form], at
    h = min(hmax, 2 lb/(mu R)) with lb >= ln 2, exp(-lb) mu^2 P R <= 2 c1 and R >= 2 ln 2/(mu hmax),

        (mu/2) P q^R/(1 - q^R) + c1 h + c2 h^2 <= mu P exp(-mu hmax R/2) + (2 c1/(mu R))(1 + lb) + 4 c2 lb^2/(mu R)^2.

    and [paper_form_gradients], where c1 = 0 and exp(-lb) mu^3 P R^2 <= 4 c2: mu P exp(-mu hmax R/2) + (4 c2/(mu R)^2)(1 + lb^2).

    With hmax = umax/beta these are the printed orders, exponent umax mu R/(2 beta), under hypotheses that can be met.      *)
From Coq Require Import Reals Lra Lia Psatz.
Open Scope R_scope.

Lemma one_minus_exp x : 1 - x <= exp (- x).
Proof. pose proof (exp_ineq1_le (- x)). lra. Qed.
Lemma exp_up x y : x <= y -> exp x <= exp y.
Proof. intro H. destruct (Rle_lt_or_eq_dec x y H) as [Hl|<-]; [left; apply exp_increasing; exact Hl|lra]. Qed.
Lemma power_exp x rounds : 0 <= x <= 1 -> (1 - x) ^ rounds <= exp (- (x * INR rounds)).
Proof.
  intros Hx. induction rounds as [|k IH]; [simpl; rewrite Rmult_0_r, Ropp_0, exp_0; lra|].
  rewrite S_INR. replace (- (x * (INR k + 1))) with (- x + - (x * INR k)) by ring. rewrite exp_plus. simpl pow.
  apply Rmult_le_compat; [lra|apply pow_le; lra|apply one_minus_exp|exact IH].
Qed.

(** The scalar step from (b) to the paper's form. [rest] stands for what is left of the first term where the step is below hmax. *)
Lemma paper_form_rest mu hmax P c1 c2 lb rest rounds : 0 < mu -> 0 < hmax -> mu * hmax <= 1 -> 0 <= P -> 0 <= c1 -> 0 <= c2 -> (1 <= rounds)%nat ->
  ln 2 <= lb -> 0 <= rest -> mu * P * exp (- lb) <= rest -> 2 * ln 2 <= mu * hmax * INR rounds ->
  let h := Rmin hmax (2 * lb / (mu * INR rounds)) in
  let q := 1 - mu * h / 2 in
  mu / 2 * P * (q ^ rounds / (1 - q ^ rounds)) + (c1 * h + c2 * h ^ 2) <=
    mu * P * exp (- (mu * hmax * INR rounds / 2)) + rest + 2 * c1 / (mu * INR rounds) * lb + 4 * c2 * lb ^ 2 / (mu * INR rounds) ^ 2.
Proof.
  intros Hmu Hh Hmh HP H1 H2 HR Hlb Hr Hc HR2 h q. assert (R1 : 1 <= INR rounds) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HR).
  set (N := INR rounds) in *. assert (MN : 0 < mu * N) by (apply Rmult_lt_0_compat; lra). assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (H0 : 0 < h) by (unfold h; apply Rmin_glb_lt; [exact Hh|apply Rdiv_lt_0_compat; lra]).
  assert (Hle : h <= hmax) by apply Rmin_l. assert (Hle2 : h <= 2 * lb / (mu * N)) by apply Rmin_r.
  assert (X : 0 <= mu * h / 2 <= 1) by (assert (0 < mu * h) by (apply Rmult_lt_0_compat; lra); assert (mu * h <= mu * hmax) by (apply Rmult_le_compat_l; lra); lra).
  assert (E : q ^ rounds <= exp (- (mu * h / 2 * N))) by (unfold q; apply power_exp, X).
  assert (Q0 : 0 <= q ^ rounds) by (apply pow_le; unfold q; lra).
  assert (Low : ln 2 <= mu * h / 2 * N).
  { unfold h, Rmin. destruct (Rle_dec hmax (2 * lb / (mu * N))); [lra|]. replace (mu * (2 * lb / (mu * N)) / 2 * N) with lb by (field; lra). exact Hlb. }
  assert (Half : exp (- (mu * h / 2 * N)) <= 1 / 2).
  { apply Rle_trans with (exp (- ln 2)); [apply exp_up; lra|]. rewrite exp_Ropp, exp_ln by lra. lra. }
  assert (Frac : q ^ rounds / (1 - q ^ rounds) <= 2 * exp (- (mu * h / 2 * N))).
  { apply Rle_trans with (q ^ rounds * 2); [|lra]. apply Rmult_le_compat_l; [exact Q0|]. rewrite <- (Rinv_inv 2). apply Rinv_le_contravar; lra. }
  assert (A : mu / 2 * P * (q ^ rounds / (1 - q ^ rounds)) <= mu * P * exp (- (mu * h / 2 * N))).
  { apply Rle_trans with (mu / 2 * P * (2 * exp (- (mu * h / 2 * N)))); [apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact Frac]|right; field]. }
  assert (B : mu * P * exp (- (mu * h / 2 * N)) <= mu * P * exp (- (mu * hmax * N / 2)) + rest).
  { unfold h, Rmin. destruct (Rle_dec hmax (2 * lb / (mu * N))).
    - replace (mu * hmax / 2 * N) with (mu * hmax * N / 2) by field. lra.
    - replace (mu * (2 * lb / (mu * N)) / 2 * N) with lb by (field; lra).
      assert (0 <= mu * P * exp (- (mu * hmax * N / 2))) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply exp_pos]). lra. }
  assert (C : c1 * h <= 2 * c1 / (mu * N) * lb) by (apply Rle_trans with (c1 * (2 * lb / (mu * N))); [apply Rmult_le_compat_l; assumption|right; field; lra]).
  assert (D : c2 * h ^ 2 <= 4 * c2 * lb ^ 2 / (mu * N) ^ 2).
  { apply Rle_trans with (c2 * (2 * lb / (mu * N)) ^ 2); [apply Rmult_le_compat_l; [exact H2|apply pow_incr; lra]|right; field; lra]. }
  lra.
Qed.

(** With noise, c1 > 0 (or where P = 0). *)
Theorem paper_form mu hmax P c1 c2 lb rounds : 0 < mu -> 0 < hmax -> mu * hmax <= 1 -> 0 <= P -> 0 <= c1 -> 0 <= c2 -> (1 <= rounds)%nat ->
  ln 2 <= lb -> exp (- lb) * (mu ^ 2 * P * INR rounds) <= 2 * c1 -> 2 * ln 2 <= mu * hmax * INR rounds ->
  let h := Rmin hmax (2 * lb / (mu * INR rounds)) in
  let q := 1 - mu * h / 2 in
  mu / 2 * P * (q ^ rounds / (1 - q ^ rounds)) + (c1 * h + c2 * h ^ 2) <=
    mu * P * exp (- (mu * hmax * INR rounds / 2)) + 2 * c1 / (mu * INR rounds) * (1 + lb) + 4 * c2 * lb ^ 2 / (mu * INR rounds) ^ 2.
Proof.
  intros Hmu Hh Hmh HP H1 H2 HR Hlb Hc HR2. assert (R1 : 1 <= INR rounds) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HR).
  assert (MN : 0 < mu * INR rounds) by (apply Rmult_lt_0_compat; lra).
  assert (Rest : mu * P * exp (- lb) <= 2 * c1 / (mu * INR rounds)).
  { apply (Rmult_le_reg_r (mu * INR rounds)); [exact MN|]. replace (2 * c1 / (mu * INR rounds) * (mu * INR rounds)) with (2 * c1) by (field; lra).
    eapply Rle_trans; [|exact Hc]. right. ring. }
  assert (0 <= 2 * c1 / (mu * INR rounds)) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; exact MN]).
  intros h q. eapply Rle_trans; [apply (paper_form_rest mu hmax P c1 c2 lb (2 * c1 / (mu * INR rounds)) rounds); assumption|]. right. field. lra.
Qed.

(** With full gradients, c1 = 0: lb with exp(-lb) mu^3 P R^2 <= 4 c2. *)
Theorem paper_form_gradients mu hmax P c2 lb rounds : 0 < mu -> 0 < hmax -> mu * hmax <= 1 -> 0 <= P -> 0 <= c2 -> (1 <= rounds)%nat ->
  ln 2 <= lb -> exp (- lb) * (mu ^ 3 * P * INR rounds ^ 2) <= 4 * c2 -> 2 * ln 2 <= mu * hmax * INR rounds ->
  let h := Rmin hmax (2 * lb / (mu * INR rounds)) in
  let q := 1 - mu * h / 2 in
  mu / 2 * P * (q ^ rounds / (1 - q ^ rounds)) + c2 * h ^ 2 <=
    mu * P * exp (- (mu * hmax * INR rounds / 2)) + 4 * c2 / (mu * INR rounds) ^ 2 * (1 + lb ^ 2).
Proof.
  intros Hmu Hh Hmh HP H2 HR Hlb Hc HR2. assert (R1 : 1 <= INR rounds) by (replace 1 with (INR 1) by reflexivity; apply le_INR, HR).
  assert (MN : 0 < (mu * INR rounds) ^ 2) by (apply pow_lt, Rmult_lt_0_compat; lra).
  assert (Rest : mu * P * exp (- lb) <= 4 * c2 / (mu * INR rounds) ^ 2).
  { apply (Rmult_le_reg_r ((mu * INR rounds) ^ 2)); [exact MN|].
    replace (4 * c2 / (mu * INR rounds) ^ 2 * (mu * INR rounds) ^ 2) with (4 * c2) by (field; lra). eapply Rle_trans; [|exact Hc]. right. ring. }
  assert (0 <= 4 * c2 / (mu * INR rounds) ^ 2) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; exact MN]).
  intros h q. pose proof (paper_form_rest mu hmax P 0 c2 lb (4 * c2 / (mu * INR rounds) ^ 2) rounds Hmu Hh Hmh HP (Rle_refl 0) H2 HR Hlb H Rest HR2) as G.
  cbv zeta in G. fold h in G. fold q in G. replace (0 * h + c2 * h ^ 2) with (c2 * h ^ 2) in G by ring. eapply Rle_trans; [exact G|]. right. field. lra.
Qed.
