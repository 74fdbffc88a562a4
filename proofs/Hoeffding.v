(** * Hoeffding's lemma

    For a reward [r] in [0,1] with mean [m]:  E exp(lambda (r - m)) <= exp(lambda^2 / 8).
    It is the only analytic fact behind the excess risk of a finite class.             *)
From Coq Require Import Reals Lra Lia Psatz List.
From FedIGW Require Import FiniteSums FiniteProbability.
Open Scope R_scope.

(** exp lies above its tangent at 0. *)
Lemma exp_tangent x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [->|H]; [rewrite exp_0; lra | left; apply exp_ineq1; exact H]. Qed.

(** exp lies below its chord: exp(lambda r) <= 1 - r + r exp(lambda) for r in [0,1]. *)
Lemma exp_chord lam r : 0 <= r <= 1 -> exp (lam * r) <= 1 - r + r * exp lam.
Proof.
  intro Hr. set (y := lam * r).
  assert (H1 : exp y * (1 + (lam - y)) <= exp lam).
  { replace lam with (y + (lam - y)) at 2 by ring. rewrite exp_plus.
    apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_tangent]. }
  assert (H2 : exp y * (1 + (- y)) <= 1).
  { replace 1 with (exp y * exp (- y)) at 2 by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_tangent]. }
  apply (Rmult_le_compat_l r) in H1; [|lra].
  apply (Rmult_le_compat_l (1 - r)) in H2; [|lra].
  assert (H3 : r * (exp y * (1 + (lam - y))) + (1 - r) * (exp y * (1 + - y)) = exp y * (1 + (r * lam - y))) by ring.
  replace (r * lam - y) with 0 in H3 by (unfold y; ring). lra.
Qed.

(** h(0) = 0 and h'(x) has the sign of x: then h >= 0. *)
Lemma nonneg_by_derivative (h h' : R -> R) :
  (forall x, derivable_pt_lim h x (h' x)) -> h 0 = 0 ->
  (forall x, 0 <= x -> 0 <= h' x) -> (forall x, x <= 0 -> h' x <= 0) -> forall x, 0 <= h x.
Proof.
  intros Hd H0 Hp Hn x. destruct (Rtotal_order x 0) as [Hx|[->|Hx]]; [|lra|].
  - destruct (MVT_cor2 h h' x 0 Hx) as (c & Hc & Hc1 & Hc2); [intros; apply Hd|].
    rewrite H0 in Hc. pose proof (Hn c ltac:(lra)). nra.
  - destruct (MVT_cor2 h h' 0 x Hx) as (c & Hc & Hc1 & Hc2); [intros; apply Hd|].
    rewrite H0 in Hc. pose proof (Hp c ltac:(lra)). nra.
Qed.
(** h(0) = 0 and h' >= 0: then h(x) has the sign of x. *)
Lemma sign_by_derivative (h h' : R -> R) :
  (forall x, derivable_pt_lim h x (h' x)) -> h 0 = 0 -> (forall x, 0 <= h' x) ->
  (forall x, 0 <= x -> 0 <= h x) /\ (forall x, x <= 0 -> h x <= 0).
Proof.
  intros Hd H0 Hp. split; intros x Hx.
  - destruct (Req_dec x 0) as [->|Hn]; [lra|].
    destruct (MVT_cor2 h h' 0 x ltac:(lra)) as (c & Hc & Hc1 & Hc2); [intros; apply Hd|].
    rewrite H0 in Hc. pose proof (Hp c). nra.
  - destruct (Req_dec x 0) as [->|Hn]; [lra|].
    destruct (MVT_cor2 h h' x 0 ltac:(lra)) as (c & Hc & Hc1 & Hc2); [intros; apply Hd|].
    rewrite H0 in Hc. pose proof (Hp c). nra.
Qed.

(** The Bernoulli case: h(x) = x^2/8 + x m - ln(1 - m + m e^x) has h(0) = h'(0) = 0 and h'' >= 0. *)
Section Hoeffding.
  Variable m : R.
  Hypothesis Hm : 0 <= m <= 1.
  Let denominator x := 1 - m + m * exp x.
  Lemma denominator_pos x : 0 < denominator x.
  Proof.
    unfold denominator. pose proof (exp_pos x) as He. destruct (Req_dec m 0) as [->|Hn]; [lra|].
    assert (0 < m * exp x) by (apply Rmult_lt_0_compat; lra). lra.
  Qed.
  Let h x := x * x / 8 + x * m - ln (denominator x).
  Let h1 x := x / 4 + m - m * exp x / denominator x.
  Let h2 x := 1 / 4 - (m * exp x * denominator x - m * exp x * (m * exp x)) / (denominator x * denominator x).

  Lemma denominator_derivative x : derivable_pt_lim denominator x (m * exp x).
  Proof.
    unfold denominator. replace (m * exp x) with (0 + m * exp x) by ring.
    apply (derivable_pt_lim_plus (fun _ => 1 - m) (fun y => m * exp y)).
    - apply derivable_pt_lim_const.
    - apply (derivable_pt_lim_scal exp m x (exp x)), derivable_pt_lim_exp.
  Qed.
  Lemma numerator_derivative x : derivable_pt_lim (fun y => m * exp y) x (m * exp x).
  Proof. apply (derivable_pt_lim_scal exp m x (exp x)), derivable_pt_lim_exp. Qed.
  Lemma h_derivative x : derivable_pt_lim h x (h1 x).
  Proof.
    unfold h, h1.
    replace (x / 4 + m - m * exp x / denominator x) with ((/ 8 * (1 * x + x * 1) + m * 1) - / denominator x * (m * exp x))
      by (unfold Rdiv; field; pose proof (denominator_pos x); lra).
    apply (derivable_pt_lim_minus (fun x => x * x / 8 + x * m) (fun x => ln (denominator x))).
    - apply (derivable_pt_lim_plus (fun x => x * x / 8) (fun x => x * m)).
      + assert (D : derivable_pt_lim (fun y => / 8 * (y * y)) x (/ 8 * (1 * x + x * 1))).
        { apply (derivable_pt_lim_scal (fun y => y * y)).
          apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id. }
        eapply derivable_pt_lim_ext; [|exact D]. intro z. simpl. field.
      + assert (D : derivable_pt_lim (fun y => m * id y) x (m * 1)).
        { apply (derivable_pt_lim_scal id), derivable_pt_lim_id. }
        eapply derivable_pt_lim_ext; [|exact D]. intro z. unfold id. ring.
    - apply (derivable_pt_lim_comp denominator ln); [apply denominator_derivative|]. apply derivable_pt_lim_ln, denominator_pos.
  Qed.
  Lemma h1_derivative x : derivable_pt_lim h1 x (h2 x).
  Proof.
    unfold h1, h2. pose proof (denominator_pos x).
    replace (1 / 4 - (m * exp x * denominator x - m * exp x * (m * exp x)) / (denominator x * denominator x))
      with ((/ 4 * 1 + 0) - (m * exp x * denominator x - m * exp x * (m * exp x)) / Rsqr (denominator x))
      by (unfold Rsqr; field; lra).
    apply (derivable_pt_lim_minus (fun x => x / 4 + m) (fun x => m * exp x / denominator x)).
    - apply (derivable_pt_lim_plus (fun x => x / 4) (fun _ => m)); [|apply derivable_pt_lim_const].
      assert (D : derivable_pt_lim (fun y => / 4 * id y) x (/ 4 * 1)).
      { apply (derivable_pt_lim_scal id), derivable_pt_lim_id. }
      eapply derivable_pt_lim_ext; [|exact D]. intro z. unfold id. field.
    - apply (derivable_pt_lim_div (fun x => m * exp x) denominator); [apply numerator_derivative | apply denominator_derivative | lra].
  Qed.
  Lemma h2_nonneg x : 0 <= h2 x.
  Proof.
    unfold h2. pose proof (denominator_pos x) as Hd. unfold denominator in *. pose proof (exp_pos x) as He.
    set (v := m * exp x) in *. set (u := 1 - m) in *.
    apply (Rmult_le_reg_r ((u + v) * (u + v))); [nra|].
    replace ((1 / 4 - (v * (u + v) - v * v) / ((u + v) * (u + v))) * ((u + v) * (u + v)))
      with ((u - v) * (u - v) / 4) by (field; lra).
    pose proof (Rle_0_sqr (u - v)). unfold Rsqr in *. lra.
  Qed.
  (** (1 - m + m e^x) e^{-x m} <= e^{x^2/8} *)
  Lemma bernoulli_mgf x : (1 - m + m * exp x) * exp (- (x * m)) <= exp (x * x / 8).
  Proof.
    assert (H10 : h1 0 = 0) by (unfold h1, denominator; rewrite exp_0; field; lra).
    assert (H00 : h 0 = 0).
    { unfold h, denominator. rewrite exp_0. replace (1 - m + m * 1) with 1 by ring. rewrite ln_1. field. }
    destruct (sign_by_derivative h1 h2 h1_derivative H10 h2_nonneg) as [P N].
    pose proof (nonneg_by_derivative h h1 h_derivative H00 P N x) as H. unfold h in H.
    fold (denominator x). rewrite <- (exp_ln (denominator x)) by apply denominator_pos. rewrite <- exp_plus.
    assert (L : ln (denominator x) + - (x * m) <= x * x / 8) by lra.
    destruct L as [L|L]; [left; apply exp_increasing; exact L | rewrite L; right; reflexivity].
  Qed.
End Hoeffding.
(** Hoeffding's lemma:  E exp(lambda (r - m)) <= exp(lambda^2 / 8)  for r in [0,1], m = E r. *)
Lemma hoeffding (d : list (R * R)) lam : distribution d -> Forall (fun pr => 0 <= snd pr <= 1) d ->
  let m := Expect d (fun r => r) in
  Expect d (fun r => exp (lam * (r - m))) <= exp (lam * lam / 8).
Proof.
  intros Hd H01 m.
  assert (Hm : 0 <= m <= 1).
  { destruct Hd as [H0 H1]. split.
    - rewrite <- (Expect_const d 0) by (split; assumption). apply Expect_le_on_support; [exact H0|].
      eapply Forall_impl; [|exact H01]. intros [p r] H. apply H.
    - rewrite <- H1. apply Expect_le_on_support; [exact H0|].
      eapply Forall_impl; [|exact H01]. intros [p r] H. apply H. }
  eapply Rle_trans; [|apply (bernoulli_mgf m Hm)].
  apply Rle_trans with (Expect d (fun r => exp (- (lam * m)) * (1 + (exp lam - 1) * r))).
  - apply Expect_le_on_support; [apply Hd|]. eapply Forall_impl; [|exact H01]. intros [p r] Hr. simpl in *.
    replace (lam * (r - m)) with (- (lam * m) + lam * r) by ring. rewrite exp_plus.
    apply Rmult_le_compat_l; [left; apply exp_pos|].
    pose proof (exp_chord lam r Hr). lra.
  - rewrite (Expect_scal d (exp (- (lam * m))) (fun r => 1 + (exp lam - 1) * r)).
    rewrite (Expect_plus d (fun _ => 1) (fun r => (exp lam - 1) * r)), Expect_const by exact Hd.
    rewrite (Expect_scal d (exp lam - 1) (fun r => r)). fold m. right. ring.
Qed.
